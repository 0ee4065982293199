"""Live: UI-L1 to UI-L11, and what is always true of the live side."""
import time
import unittest

from support import Page, STATIONS, WebCase, World, chromium, eventually, free_port, needs

SEEKABLE = """
const bad = [...document.querySelectorAll('live-player *, mini-player *, station-row *')].filter((element) =>
  element.matches('input[type=range], [role=slider], [role=scrollbar], progress, audio, video, [role=progressbar], [role=timer]'));
return bad.map((element) => element.outerHTML.slice(0, 120));
"""


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Live(WebCase):
    def tune(self, station="nightwave"):
        self.page.module(f"const ids = {[each[0] for each in STATIONS]!r}; const {{api}} = await import('/player/core/api.js'); const stations = await Promise.all(ids.map((id) => api.get('stations/' + id))); p.player.tune(stations.find((each) => each.id === {station!r}), {{name: 'Test list', stations}});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")

    def full(self):
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('full-player').hasAttribute('open') && document.querySelector('live-player .call-sign')")
        self.page.still()

    def clock(self):
        return self.page.module("return p.elements.live.currentTime;")

    def test_UI_L1_full_screen_player(self):
        self.tune()
        self.full()
        found = self.page.run("""
            const q = (s) => document.querySelector('live-player ' + s);
            const box = q('.tile.large').getBoundingClientRect(), badge = q('.live-badge').getBoundingClientRect(), chip = q('.frequency').getBoundingClientRect();
            const call = getComputedStyle(q('.call-sign'));
            return {overline: q('.overline').textContent, context: q('.context strong').textContent, ratio: box.width / box.height,
              badge: [badge.left - box.left, badge.top - box.top], chip: [box.right - chip.right, box.bottom - chip.bottom], text: q('.frequency').textContent,
              size: call.fontSize, weight: call.fontWeight, pulse: getComputedStyle(q('.live-badge .dot')).animationDuration, menu: !!q('[aria-label=More]'), collapse: !!q('[aria-label="Close the player"]'), heart: !!q('.call button')};""")
        self.assertEqual(found["overline"].upper(), "LIVE STATION")
        self.assertEqual(found["context"], "Test list")
        self.assertAlmostEqual(found["ratio"], 1, places=2)
        self.assertEqual([round(each) for each in found["badge"] + found["chip"]], [16, 16, 16, 16])
        self.assertEqual(found["text"], "98.8 FM")
        self.assertEqual((found["size"], found["weight"], found["pulse"]), ("26px", "800", "1.6s"))
        self.assertTrue(found["menu"] and found["collapse"] and found["heart"])
        self.page.module("p.player.next();")
        self.page.until("return document.querySelector('live-player .tile.large:not(.leaving) .frequency').textContent === 'WEB'")

    def test_UI_L2_sweep_follows_the_bytes(self):
        self.tune()
        self.full()
        moving = "return document.querySelector('live-player scan-bar').hasAttribute('moving')"
        self.page.until(moving)
        found = self.page.run("""const bar = document.querySelector('live-player scan-bar'), rail = bar.querySelector('.rail'), band = rail.firstChild;
            return {rail: rail.getBoundingClientRect().height, share: band.offsetWidth / rail.offsetWidth, time: getComputedStyle(band).animationDuration, words: bar.textContent};""")
        self.assertEqual((found["rail"], found["time"]), (4, "2.2s"))
        self.assertAlmostEqual(found["share"], 0.38, delta=0.01)
        self.assertEqual(found["words"].strip().upper(), "STREAMING LIVE")
        self.assertEqual(self.page.run(SEEKABLE), [])
        self.assertNotRegex(self.page.run("return document.querySelector('live-player .call').textContent + document.querySelector('live-player scan-bar').textContent"), r"\d:\d\d")
        # The station stops sending: the sweep stands; how soon, test_promptness says.
        self.icecast.freeze("nightwave")
        try:
            self.assertTrue(eventually(lambda: not self.page.run(moving), within=8))
        finally:
            self.icecast.thaw("nightwave")
        self.page.until(moving, within=20)
        self.page.module("p.player.stop();")
        self.assertTrue(eventually(lambda: not self.page.run(moving), within=1))

    def test_UI_L3_stop_leaves_and_play_joins_again(self):
        self.tune()
        self.full()
        button = "live-player .big-play"
        size = self.page.run("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.width, box.height]", button)
        self.assertEqual(size, [68, 68])
        eventually(lambda: self.clock() > 1)
        mounts = lambda: [each["connected"] for each in self.service.get("/api/v1/status")["mounts"] if each["station"] == "nightwave"]
        self.assertTrue(eventually(lambda: mounts() == [1]))
        label = "return document.querySelector(arguments[0]).getAttribute('aria-label')"
        self.assertEqual(self.page.run(label, button), "Stop Night Wave")
        self.page.click(button)
        begun = time.monotonic()
        self.assertTrue(eventually(lambda: sum(mounts()) == 0, within=1.0, step=0.02), "the connection was not closed within a second")
        print(f"\n  connection closed {time.monotonic() - begun:.2f} s after stop")
        self.assertEqual(self.page.run(label, button), "Listen to Night Wave")
        self.assertEqual(self.clock(), 0)
        time.sleep(2)
        first = self.page.module("return p.elements.live.src;")
        self.page.click(button)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        self.assertNotEqual(self.page.module("return p.elements.live.src;"), first)
        # At the live edge: what is held is the burst, not the time away.
        self.assertLess(self.page.module("const e = p.elements.live; return e.buffered.end(0) - e.currentTime;"), 6)
        # The browser's own pause is a stop.
        self.page.module("p.elements.live.pause();")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')", within=2)
        self.assertTrue(eventually(lambda: sum(mounts()) == 0, within=1.5))

    def test_UI_L3_media_session_offers_no_seek(self):
        self.page.media_keys(self)
        self.page.open("/", pair=None)
        self.tune()
        found = self.page.until("return window.handled.stop && Object.fromEntries(Object.entries(window.handled).map(([name, call]) => [name, !!call]))")
        self.assertEqual({name for name, is_there in found.items() if is_there}, {"play", "pause", "stop", "nexttrack", "previoustrack"})
        self.page.run("window.handled.pause()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')")
        self.assertEqual(self.page.run("return navigator.mediaSession.playbackState"), "none")

    def test_UI_L4_skip_walks_the_list(self):
        self.tune()
        self.full()
        names = []
        for _ in range(3):
            self.page.click("live-player [aria-label='Next station']")
            time.sleep(0.3)
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
            names.append(self.page.run("return document.querySelector('live-player .call-sign').textContent"))
        self.assertEqual(names, ["Harbour Radio", "Kestrel 1010", "Night Wave"])
        self.page.click("live-player [aria-label='Previous station']")
        slides = self.page.run("return document.getAnimations().filter((each) => each.effect.target?.matches?.('.tile.large')).map((each) => each.effect.getTiming().duration)")
        self.assertEqual(set(slides), {220})
        self.page.until("return document.querySelector('live-player .call-sign').textContent === 'Kestrel 1010'")

    def test_UI_L4_a_station_tuned_by_itself_has_neighbours(self):
        """Its own page names no list: next is another station, and the line above says of which list."""
        self.service.call("PUT", "/api/v1/stations/kestrel/favourite", {"value": True})
        self.addCleanup(self.service.call, "PUT", "/api/v1/stations/kestrel/favourite", {"value": False})
        for other, name in (("nightwave", "Favourites"), (None, "All stations")):
            if other:
                self.service.call("PUT", f"/api/v1/stations/{other}/favourite", {"value": True})
            self.page.open("/station/kestrel", pair=None)
            self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Listen live').click()")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
            self.page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station.id !== 'kestrel' && s.get('player').listName === arguments[0])", name)
            if other:
                self.assertEqual(self.page.state()["station"]["id"], other)
                self.service.call("PUT", f"/api/v1/stations/{other}/favourite", {"value": False})
            self.page.module("p.player.previous();")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station.id === 'kestrel')")
            self.page.module("p.player.close();")

    def test_UI_L5_now_airing(self):
        self.tune()
        self.full()
        eventually(lambda: self.clock() > 1)
        # When what is at the end of the buffer came, looked at apart from the page: so long ago is what is heard.
        self.page.module("window.edge = [0, 0]; setInterval(() => { const e = p.elements.live, end = e.buffered.length ? e.buffered.end(e.buffered.length - 1) : 0; if (end > window.edge[0]) window.edge = [end, Date.now()]; }, 15);")
        self.page.module("const {on} = await import('/player/core/events.js'); window.told = []; on('title', (data) => window.told.push([Date.now(), data.now.text, Date.parse(data.now.since)])); s.watch('heard', (mark) => window.told.push([Date.now(), 'heard ' + mark?.text, window.edge[1] - (window.edge[0] - p.elements.live.currentTime) * 1000]));")
        sent = time.time() * 1000
        self.icecast.title("nightwave", "Ada Fenn - Copper Rain")
        event = self.page.until("return window.told.find(([, text]) => text === 'Ada Fenn - Copper Rain')")
        heard = self.page.until("return window.told.find(([, text]) => text === 'heard Ada Fenn - Copper Rain')", within=12)
        early = event[2] - heard[2]
        print(f"\n  title: event {event[0] - sent:.0f} ms after it was sent, shown {heard[0] - event[0]:.0f} ms after the event, when the browser was {heard[0] - heard[2]:.0f} ms behind: {abs(early):.0f} ms too {'early' if early > 0 else 'late'}")
        # The station's own server sends the title with its next block; the page shows it when its sound is reached.
        self.assertLess(abs(early), 1000)
        self.assertLess(event[0] - event[2], 1000, "the event comes within a second of the stream's own")
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'Copper Rain' && document.querySelector('live-player .now-sub').textContent === 'Ada Fenn'")
        self.page.until("return [...document.querySelectorAll('live-player .recent li')].some((row) => /\\d/.test(row.querySelector('time').textContent) && row.textContent.includes('Copper Rain'))")

    def test_UI_L6_station_row(self):
        self.page.open("/radio", pair=None)
        self.page.until("return document.querySelectorAll('station-row').length === 3")
        found = self.page.run("""const row = document.querySelector('station-row'), play = row.querySelector('.row-play svg'), tile = row.querySelector('.tile');
            return {height: row.offsetHeight, tile: tile.offsetWidth, radius: getComputedStyle(tile).borderRadius, name: getComputedStyle(row.querySelector('.name')).fontSize + getComputedStyle(row.querySelector('.name')).fontWeight,
              tag: row.querySelector('.live-tag').textContent, sub: row.querySelector('.sub .one-line').textContent, colour: getComputedStyle(play).color, border: getComputedStyle(play).borderTopWidth, hit: [row.querySelector('.row-play').offsetWidth, row.querySelector('.row-play').offsetHeight]};""")
        self.assertEqual((found["height"], found["tile"], found["radius"], found["name"]), (68, 48, "8px", "15px600"))
        self.assertEqual(found["tag"], "LIVE")
        # Genre and market stay where it is known what airs, which follows them.
        self.page.module("const {station} = document.querySelector('station-row'); s.set('airing', new Map([...(s.get('airing') ?? []), [station.id, {artist: 'Ada Fenn', title: 'Copper Rain', text: 'Ada Fenn - Copper Rain', class: 'track', since: 'x'}]]));")
        facts = {name: f"{genre} · {market}" for _, name, genre, market, *_ in STATIONS}
        name, sub = self.page.run("const row = document.querySelector('station-row'); return [row.station.name, row.querySelector('.sub .one-line').textContent]")
        self.assertRegex(sub, "^" + facts[name] + " · .*Copper Rain")
        self.assertEqual(found["colour"], "rgb(242, 58, 47)")
        self.assertEqual(found["hit"], [44, 44])
        self.assertTrue(all(found["border"]))

    def test_UI_L6_a_mouse_on_the_pictogram_plays_and_stops(self):
        """The pictogram is redrawn by the click that hits it: the row must not take the rest of that click as its own."""
        self.page.open("/radio", pair=None)
        phase = "return import('/player/core/store.js').then((s) => s.get('player').phase)"
        self.page.click("station-row .row-play path")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        time.sleep(1)
        self.assertEqual(self.page.run(phase), "live")
        self.page.click("station-row[playing] .row-play path")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')")
        # Beside the button, the row itself plays.
        self.page.click("station-row .sub")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")

    def test_UI_L7_mini_player(self):
        self.tune()
        found = self.page.run("""const bar = document.querySelector('mini-player').getBoundingClientRect(), tabs = document.querySelector('tab-bar nav').getBoundingClientRect(), sweep = document.querySelector('mini-player scan-bar').getBoundingClientRect();
            return {height: bar.height, gap: tabs.top - bar.bottom, sweep: sweep.top - bar.top, text: document.querySelector('mini-player').innerText};""")
        self.assertEqual((found["height"], found["gap"], found["sweep"]), (56, 0, 0))
        self.assertIn("Night Wave", found["text"])
        self.page.click("mini-player .mini-open")
        self.page.until("return document.querySelector('full-player').hasAttribute('open')")
        self.assertIn("0.32s", self.page.run("return getComputedStyle(document.querySelector('full-player')).transitionDuration"))
        self.page.until("return Math.round(document.querySelector('full-player').getBoundingClientRect().top) === 0")
        from selenium.webdriver.common.keys import Keys
        self.page.key(Keys.ESCAPE)
        self.page.until("return !document.querySelector('full-player').hasAttribute('open')")
        self.page.click("mini-player .mini-open")
        self.page.until("return Math.round(document.querySelector('full-player').getBoundingClientRect().top) === 0")
        self.page.click("live-player .collapse")
        self.page.until("return !document.querySelector('full-player').hasAttribute('open')")
        self.assertTrue(self.page.run("return document.activeElement.matches('.mini-open')"), "the focus did not come back")

    def test_UI_L8_tabs_and_for_you(self):
        self.page.open("/", pair=None)
        self.assertEqual(self.page.run("return [...document.querySelectorAll('tab-bar a')].map((link) => link.textContent)"), ["For You", "Radio", "Recordings", "Search", "Library"])
        for link, heading in [("radio", "Radio"), ("search", "Search"), ("library", "Library"), ("for-you", "For You")]:
            self.page.click(f"tab-bar a[data-tab={link}]")
            self.page.until("return document.querySelector('main h1').textContent === arguments[0] && document.querySelector(`tab-bar a[data-tab=${arguments[1]}]`).getAttribute('aria-current') === 'page'", heading, link)
        self.page.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Library'")
        self.page.browser.forward()
        self.page.until("return [...document.querySelectorAll('main h2')].some((each) => each.textContent === 'Recommended now')")
        self.page.until("return getComputedStyle(document.querySelector('tab-bar a[aria-current] svg')).stroke === 'rgb(242, 58, 47)'")

    def test_UI_L8_for_you_knows_thumbs_and_history(self):
        # The rules by themselves: thumbs and history put a station before others, a thumb down behind them.
        order = self.page.wait("""import('/player/core/recommend.js').then((r) => {
            const station = (id, genre) => ({id, genre, tags: []});
            const stations = [station('a', 'Pop'), station('b', 'Jazz'), station('c', 'Rock'), station('d', 'Jazz'), station('e', 'Folk')];
            const of = (id) => stations.find((each) => each.id === id);
            const thumbs = [{direction: 'up', artist: 'Ada Fenn', title: 'One', station: 'd'}, {direction: 'down', artist: 'X', title: 'Y', station: 'a'}];
            const known = r.taste({favourites: [], played: [of('c')], thumbs, stationOf: of});
            const airing = new Map([['e', {artist: 'ada fenn', title: 'Two', class: 'track'}], ['a', {artist: 'Ada Fenn', title: 'One', class: 'none'}]]);
            done([r.recommended(stations, known, new Map()).map((each) => each.id), r.recommended(stations, known, airing)[0].id, r.likedNow(airing, known), r.recommended(stations, r.taste({}), new Map()).map((each) => each.id)]); })""")
        self.assertEqual(order, [["d", "c", "b", "e", "a"], "e", ["e"], ["a", "b", "c", "d", "e"]])
        # On the screen: what was played, recordings too; and what airs and is liked comes while one looks.
        id = self.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 4, "show": "Short"})["id"]
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=30))
        self.service.call("POST", "/api/v1/history", {"station": "harbour"})
        self.service.call("POST", "/api/v1/history", {"recording": id})
        self.tune("kestrel")
        self.icecast.title("kestrel", "Ines Dahl - Tides")
        now = lambda: (self.service.get("/api/v1/stations/kestrel/now")["now"] or {}).get("title")
        self.assertTrue(eventually(lambda: now() == "Tides"))
        self.service.call("PUT", "/api/v1/thumbs", {"station": "kestrel", "direction": "up"})
        self.icecast.title("kestrel", "Somebody - Else")
        self.assertTrue(eventually(lambda: now() == "Else"))
        self.page.open("/", pair=None)
        self.tune("kestrel")
        titles = "return [...document.querySelectorAll('main h2')].map((each) => each.textContent)"
        self.page.until("return [...document.querySelectorAll('main .section')].find((each) => each.querySelector('h2').textContent === 'Recently played')?.querySelector('recording-row')")
        self.assertTrue(self.page.run("return [...document.querySelectorAll('main .section')].find((each) => each.querySelector('h2').textContent === 'Recently played').textContent.includes('Harbour Radio')"))
        self.assertNotIn("On air now that you like", self.page.run(titles))
        self.icecast.title("kestrel", "Ines Dahl - Another Song")
        self.page.until("return [...document.querySelectorAll('main .section')].some((each) => each.querySelector('h2').textContent === 'On air now that you like' && each.textContent.includes('Kestrel 1010'))", within=15)
        found = self.page.run(titles)
        wanted = ["Recommended now", "Recently played", "On air now that you like", "Newest recordings"]
        self.assertEqual([each for each in found if each in wanted], wanted)
        self.icecast.title("kestrel", "Somebody - Else Again")
        self.page.until("return ![...document.querySelectorAll('main h2')].some((each) => each.textContent === 'On air now that you like')", within=15)

    def test_UI_L9_search(self):
        self.icecast.title("harbour", "Juniper Vale - Salt Market")
        self.tune("harbour")
        self.page.until("return import('/player/core/store.js').then((s) => [...(s.get('airing') ?? [])].some(([, mark]) => mark.title === 'Salt Market'))")
        self.page.click("tab-bar a[data-tab=search]")
        field = self.page.until("return document.querySelector('main input[type=search]')")
        field.send_keys("kestr")
        self.page.until("return [...document.querySelectorAll('main station-row .name')].map((each) => each.textContent).join() === 'Kestrel 1010'")
        field.clear()
        field.send_keys("salt mark")
        self.page.until("return [...document.querySelectorAll('main .section')].some((each) => each.querySelector('h2').textContent === 'On air now' && each.textContent.includes('Harbour Radio'))")
        # Also where this page has never looked at the station.
        self.page.module("s.get('stations').delete('harbour');")
        self.page.run("arguments[0].dispatchEvent(new Event('input'))", field)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('stations').has('harbour')) ")
        self.page.until("return [...document.querySelectorAll('main .section')].some((each) => each.querySelector('h2').textContent === 'On air now' && each.textContent.includes('Harbour Radio'))")
        field.submit()
        field.clear()
        self.page.run("arguments[0].dispatchEvent(new Event('input'))", field)
        self.page.until("return [...document.querySelectorAll('main .recents li')].some((each) => each.textContent.includes('salt mark'))")
        self.assertGreaterEqual(self.page.run("return document.querySelectorAll('main .chips .chip').length"), 10)

    def test_UI_L10_banners(self):
        self.page.browser.execute_cdp_cmd("Network.enable", {})
        self.page.module("p.player.tune({id: 'no-such-station', name: 'Gone FM'}, null);")
        self.page.until("return document.querySelector('[data-banner=failed]')")
        text = self.page.run("return document.querySelector('[data-banner=failed]').textContent")
        self.assertIn("Gone FM", text)
        self.assertRegex(text, r"Trying again in \d+ s")
        # The service is gone, and comes back.
        self.page.module("p.player.close();")
        self.service.stop()
        self.page.until("return document.querySelector('[data-banner=offline]')")
        self.service.start()
        self.page.until("return !document.querySelector('[data-banner=offline]')", within=20)
        # Little room, as the service tells it.
        low = "const real = window.fetch; window.fetch = (address, ...more) => new URL(address, location.href).pathname === '/api/v1/storage' ? Promise.resolve(new Response(JSON.stringify({low: true}))) : real(address, ...more);"
        added = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": low})["identifier"]
        self.addCleanup(lambda: self.page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added}))
        self.page.open("/", pair=None)
        self.page.until("return document.querySelector('[data-banner=storage] a')?.pathname === '/player/settings'")

    def test_recording_from_the_page(self):
        self.tune()
        self.full()
        self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Record').click()")
        running = lambda: [each for each in self.service.get("/api/v1/recordings")["recordings"] if each["state"] == "recording"]
        self.assertTrue(eventually(lambda: len(running()) == 1))
        id = running()[0]["id"]
        time.sleep(2)
        self.page.module("s.set('full', false);")
        self.page.open("/recordings", pair=None)
        self.page.until("return [...document.querySelectorAll('main .section')].some((each) => each.querySelector('h2')?.textContent === 'Recording now' && each.querySelector('.ring.spin'))")
        self.page.run("document.querySelector('recording-row .row-end').click()")
        self.assertTrue(eventually(lambda: running() == []))
        self.assertEqual(self.service.get(f"/api/v1/recordings/{id}")["state"], "finished")
        # Keep this song: from its start, which lies in the past.
        self.tune()
        self.full()
        self.icecast.title("nightwave", "Ada Fenn - Kept Song")
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'Kept Song'", within=12)
        time.sleep(22)  # what is shorter is no song to the recorder
        self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Keep song').click()")
        self.page.until("return document.querySelector('toast-host').textContent.includes('kept from its start')")
        time.sleep(4)
        self.icecast.title("nightwave", "Ada Fenn - The Next One")
        self.assertTrue(eventually(lambda: any("Kept Song" in (each["path"] or "") for each in self.service.get("/api/v1/recordings")["recordings"]), within=30), self.service.get("/api/v1/recordings"))

    def test_UI_L8_a_card_tells_what_airs_now(self):
        self.page.open("/", pair=None)
        card = "[...document.querySelectorAll('.station-card')].find((each) => each.textContent.includes('Harbour Radio'))"
        self.page.until(f"return {card}")
        self.tune("harbour")
        for title in ("First Light", "Second Light"):
            self.icecast.title("harbour", f"Ada Fenn - {title}")
            self.page.until(f"return {card}.textContent.includes({title!r})", within=12)

    def test_a_stations_page_follows_what_it_plays(self):
        self.page.open("/station/harbour", pair=None)
        press = "[...document.querySelectorAll('main .pill')].find((each) => each.textContent === arguments[0])"
        places = "return [...document.querySelectorAll('main .buttons > *')].map((each) => [each.offsetLeft, each.offsetTop, each.offsetWidth].join())"
        before = self.page.run(places)
        self.page.run(press + ".click()", "Listen live")
        self.page.until("return " + press, "Stop")
        self.page.until("return [...document.querySelectorAll('main .facts dd')].some((each) => each.textContent === 'connected')")
        for title in ("First Light", "Second Light"):
            self.icecast.title("harbour", f"Ada Fenn - {title}")
            self.page.until("return document.querySelector('main .masthead .muted').textContent.includes(arguments[0])", title, within=12)
            self.page.until("return document.querySelector('main .recent li')?.textContent.includes(arguments[0])", title)
        # A favourite, and not: also by the way back in what was said.
        self.page.run(press + ".click()", "Add to favourites")
        self.page.until("return " + press, "Favourite")
        self.page.until("return document.querySelector('.toast')?.textContent.includes('is a favourite') && (document.querySelector('.toast .text-button').click() ?? true)")
        self.page.until("return " + press, "Add to favourites")
        self.assertTrue(eventually(lambda: not self.service.get("/api/v1/stations/harbour")["favourite"]))
        # Two presses are one recording.
        running = lambda: [each["id"] for each in self.service.get("/api/v1/recordings")["recordings"] if each["state"] == "recording"]
        self.page.run(f"const button = {press}; button.click(); button.click();", "Record")
        self.page.until("return " + press, "Recording")
        self.page.run(press + ".click()", "Recording")
        self.page.until("return document.querySelector('dialog .menu')")
        self.assertEqual(len(running()), 1)
        self.assertEqual(self.page.run(places), before, "the buttons have moved")
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent.startsWith('Stop ')).click()")
        self.page.until("return " + press, "Record")
        # What was recorded has come to the page, is over on it, and goes from it with its deletion.
        rows = "[...document.querySelectorAll('main recording-row')]"
        self.page.until(f"return {rows}.length === 1 && !{rows}[0].textContent.includes('Recording now')")
        self.page.run(f"{rows}[0].focus(); {rows}[0].dispatchEvent(new KeyboardEvent('keydown', {{key: 'Delete', bubbles: true}}))")
        self.page.until(f"return {rows}.length === 0")

    def test_what_was_recorded_and_deleted_is_so_for_you(self):
        finished = lambda id: eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=30)
        made = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 3, "show": "Played"})["id"]
        self.assertTrue(finished(made))
        self.service.call("POST", "/api/v1/history", {"recording": made})
        self.page.open("/", pair=None)
        count = "return [...document.querySelectorAll('main recording-row')].filter((row) => row.textContent.includes(arguments[0])).length"
        self.page.until(count + " === 2", "Played")
        other = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 3, "show": "Begun meanwhile"})["id"]
        self.page.until(count + " === 1", "Begun meanwhile")
        self.page.until("return [...document.querySelectorAll('main recording-row')].every((row) => !row.textContent.includes('Recording now'))", within=30)
        self.page.run("const row = [...document.querySelectorAll('main recording-row')].find((each) => each.textContent.includes('Played')); row.focus(); row.dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete', bubbles: true}))")
        self.page.until(count + " === 0", "Played")
        self.service.call("DELETE", f"/api/v1/recordings/{other}")

    def test_a_station_that_is_not_there_is_told_in_the_pages_words(self):
        self.page.open("/station/nope", pair=None)
        text = self.page.until("return document.querySelector('main .state')?.textContent")
        self.assertIn("There is no such station", text)
        self.assertNotIn("aircheck stations", text)

    def test_Always_live_has_no_position(self):
        """No seekable element, no time and no pause in the accessibility tree of the live side."""
        self.tune()
        self.full()
        tree = self.page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        roles = {}
        for node in tree:
            if node.get("ignored"):
                continue
            roles.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
        self.assertEqual([role for role in roles if role in ("slider", "progressbar", "timer", "scrollbar", "meter", "Video", "Audio")], [])
        names = [name for found in roles.values() for name in found]
        self.assertFalse([name for name in names if "pause" in name.lower()])
        self.assertIn("Stop Night Wave", roles["button"])


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Away(WebCase):
    """Stations whose source goes away, one whose server refuses, and what there is of a station that says no titles."""

    settings = '[player]\noutput = "null"\n'
    stations = '\n[[station]]\nid = "refusing"\nname = "Refusing FM"\nurls = ["http://127.0.0.1:1/x"]\ngenre = "Talk"\nlocal = true\n'
    BANNER = "return document.querySelector('[data-banner=failed]')?.textContent"

    def tune(self, *ids):
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); const stations = await Promise.all({list(ids)!r}.map((id) => api.get('stations/' + id))); p.player.tune(stations[0], {{name: 'Test list', stations}});")

    def phase(self, phase, within=10):
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === arguments[0])", phase, within=within)

    def take_away(self, mount):
        frequency = {each[0]: each[5] for each in STATIONS}[mount]
        self.world.programs.stop(self.icecast.sources[mount])
        # Another tone: the same one begun anew is bytes that were heard already, and the feed would wait for what follows them.
        back = lambda: self.icecast.is_on(mount) or self.icecast.source(mount, frequency + 20)
        self.addCleanup(back)
        return back

    def test_UI_L10_a_station_that_is_away_is_told_with_its_reason_and_play_tries_it_at_once(self):
        self.tune("harbour")
        self.phase("live")
        back = self.take_away("harbour")
        self.page.until("return document.querySelector('[data-banner=failed]')?.textContent.includes('Harbour Radio: 404')", within=20)
        self.assertIn("Trying again", self.page.run(self.BANNER))
        # A minute later it is looked for seldom, and the page says when.
        self.page.until("return /Trying again at \\d+:\\d+/.test(document.querySelector('[data-banner=failed]')?.textContent)", within=90)
        back()
        self.page.module("p.player.stop();")
        self.page.until("return !document.querySelector('[data-banner=failed]')")
        self.page.module("p.player.toggleLive();")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/stations/harbour/now")["state"] == "live", within=20), f"it is not tried: {self.service.get('/api/v1/stations/harbour/now')}, {self.page.state()}")
        self.phase("live")
        self.page.until("return !document.querySelector('[data-banner=failed]')")

    def test_UI_L10_the_reason_of_a_refusal_is_told_before_the_mount_gives_up(self):
        # A pointer was on its row: what the service found out then is known when it is played.
        self.service.call("POST", "/api/v1/stations/refusing/warm")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/stations/refusing/now")["state"] == "waiting"))
        time.sleep(0.5)
        self.tune("refusing")
        self.page.until("return document.querySelector('[data-banner=failed]')?.textContent.includes('Refusing FM: connection refused')", within=4)
        self.assertEqual(self.page.state()["phase"], "joining")

    def test_UI_L1_moving_the_sound_leaves_the_full_player_open_and_the_list_named(self):
        self.tune("nightwave", "kestrel")
        self.phase("live")
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('live-player .context strong')?.textContent === 'Test list'")
        self.page.module("window.seen = []; s.watch('player', ({kind, listName}) => window.seen.push([kind, listName, s.get('full')].join()));")
        for where in ("there", "here", "there"):
            self.page.module(f"p.player.setWhere({where!r});")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').owner && s.get('player').where === arguments[0] && s.get('player').phase === 'live')", where, within=20)
        # What is stopped stays shown, too.
        self.page.module("p.player.stop();")
        self.phase("stopped")
        self.page.module("p.player.setWhere('here');")
        time.sleep(1)
        self.assertEqual(set(self.page.run("return window.seen")), {"live,Test list,true"})
        self.page.module("p.player.next();")
        self.page.until("return document.querySelector('live-player .call-sign').textContent === 'Kestrel 1010'")

    def move(self, where):
        self.page.module(f"p.player.setWhere({where!r});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').owner && s.get('player').where === arguments[0] && ['live', 'playing'].includes(s.get('player').phase))", where, within=20)

    def test_UI_A4_what_is_left_of_the_sleep_timer_moves_with_the_sound(self):
        """A timer of minutes and the end of a chapter, to the service and back; and it is fallen asleep where the sound is."""
        there = lambda: self.service.get("/api/v1/player")
        id = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 20})["id"]
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=40))
        listen = f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 1);"
        for kind, begin in (("live", "p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);"), ("recorded", listen + " p.player.setSpeed(0.5);")):
            with self.subTest(kind):
                self.page.clear()
                self.page.module(begin)
                self.phase("live" if kind == "live" else "playing")
                self.page.module("p.player.sleep({minutes: 10});")
                # Begun anew it would be as much longer as this.
                time.sleep(3)
                ends = self.page.state()["sleep"]["ends"] / 1000
                self.move("there")
                self.assertTrue(eventually(lambda: there()["sleep_seconds"]), "the service knows of no timer")
                self.assertAlmostEqual(there()["sleep_seconds"], ends - time.time(), delta=1)
                self.page.until("return import('/player/core/store.js').then((s) => s.get('player').sleep?.ends)")
                self.move("here")
                self.assertAlmostEqual(self.page.state()["sleep"]["ends"] / 1000, ends, delta=1)
                self.assertTrue(eventually(lambda: not there()["sleep_seconds"]), "the service keeps it too")
                self.page.module("p.player.close();")
        with self.subTest("the end of a chapter"):
            self.page.clear()
            self.page.module(listen + " p.player.setSpeed(1); p.player.sleep({chapter: 12});")
            self.phase("playing")
            self.move("there")
            self.assertTrue(eventually(lambda: there()["sleep_at"] == 12), there())
            self.move("here")
            self.phase("paused", within=20)
            self.assertAlmostEqual(self.page.module("return p.position();"), 12, delta=0.7)
            self.page.module("p.player.close();")
        with self.subTest("asleep there, and here"):
            self.page.clear()
            for where in ("there", "here"):
                self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
                self.phase("live")
                self.page.module("p.player.sleep({minutes: 0.1});")
                self.move(where)
                self.phase("stopped", within=9)
                self.assertEqual(there()["state"], "stopped")

    def test_a_song_is_kept_once_by_its_name_and_can_be_taken_back(self):
        chip = "[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Keep song')"
        running = lambda: [each["id"] for each in self.service.get("/api/v1/recordings")["recordings"] if each["state"] == "recording"]
        toast = "return document.querySelector('toast-host').textContent.includes(arguments[0])"
        self.tune("kestrel")
        self.phase("live")
        self.page.module("s.set('full', true);")
        self.page.until(f"return {chip}")
        time.sleep(0.5)
        self.assertTrue(self.page.run(f"return {chip}.disabled"), "no song is known")
        self.tune("nightwave")
        self.icecast.title("nightwave", "Ada Fenn - One Song")
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'One Song'", within=12)
        self.page.until(f"return !{chip}.disabled")
        self.page.run(f"{chip}.click(); {chip}.click()")
        self.page.until(toast, "“One Song” is kept from its start.")
        self.page.run(f"{chip}.click()")
        self.page.until(toast, "“One Song” is kept already.")
        self.assertEqual(len(running()), 1)
        kept = running()[0]
        self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Recording').click()")
        self.page.until("return [...document.querySelectorAll('dialog .menu button')].some((each) => each.textContent === 'Stop “One Song”')")
        self.page.module("s.set('sheet', null);")
        self.page.run(f"{chip}.click()")
        self.page.until("return [...document.querySelectorAll('.toast .text-button')].some((each) => each.textContent === 'Undo' && (each.click() ?? true))")
        self.assertTrue(eventually(lambda: kept not in [each["id"] for each in self.service.get("/api/v1/recordings")["recordings"]]))
        self.assertFalse(self.page.run("return !!document.querySelector('.toast.error')"))
        # It can be kept again, and a way back that is taken while it is still being made is taken all the same.
        self.page.run(f"{chip}.click(); {chip}.click()")
        self.page.until("return [...document.querySelectorAll('.toast .text-button')].some((each) => each.textContent === 'Undo' && (each.click() ?? true))")
        time.sleep(2)
        self.assertTrue(eventually(lambda: running() == []))
        self.page.module("p.player.stop();")
        self.page.until(f"return {chip}.disabled")

    def test_UI_L10_there_what_is_joined_is_named_while_the_one_before_sounds_on(self):
        self.page.module("p.player.setWhere('there');")
        self.service.call("POST", "/api/v1/player/play", {"station": "kestrel"})
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station?.id === 'kestrel' && s.get('player').phase === 'live')")
        self.service.call("POST", "/api/v1/player/play", {"station": "refusing"})
        self.page.until("return document.querySelector('mini-player').textContent.includes('Joining Refusing FM')", within=4)
        self.page.until("return document.querySelector('[data-banner=failed]')?.textContent.includes('Refusing FM: connection refused')", within=4)
        state = self.page.state()
        self.assertEqual((state["station"]["id"], state["phase"]), ("kestrel", "live"))
        self.service.call("POST", "/api/v1/player/play", {"station": "kestrel"})
        self.page.until("return !document.querySelector('[data-banner=failed]') && !document.querySelector('mini-player').textContent.includes('Joining')")

    def recent(self, *titles):
        """Waits for the titles that are shown as recent; answers all of them."""
        self.page.module("s.set('full', true);")
        self.page.until("const shown = [...document.querySelectorAll('live-player .recent .one-line')].map((each) => each.textContent); return arguments[0].every((title) => shown.some((each) => each.includes(title)))", list(titles))
        return self.page.run("return document.querySelector('live-player .recent').textContent")

    def test_recent_tracks_and_the_song_that_is_kept_are_of_the_station_that_is_shown(self):
        """There, on a page that is opened meanwhile, and in a tab that only shows what another plays."""
        title = lambda station, text: (self.icecast.title(station, f"Ada Fenn - {text}"), self.assertTrue(eventually(lambda: (self.service.get(f"/api/v1/stations/{station}/now")["now"] or {}).get("title") == text)))
        self.page.module("p.player.setWhere('there');")
        self.service.call("POST", "/api/v1/player/play", {"station": "kestrel"})
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station?.id === 'kestrel' && s.get('player').phase === 'live')")
        title("kestrel", "Of Kestrel")
        self.recent("Of Kestrel")
        self.service.call("POST", "/api/v1/stations/harbour/warm")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/stations/harbour/now")["state"] == "live"))
        title("harbour", "Of Harbour")
        title("harbour", "Of Harbour too")
        self.service.call("POST", "/api/v1/player/play", {"station": "harbour"})
        self.page.until("return document.querySelector('live-player .now-airing').textContent === 'Of Harbour too'")
        self.assertNotIn("Of Kestrel", self.recent("Of Harbour", "Of Harbour too"))
        self.page.run("window.songs = []; const real = window.fetch; window.fetch = (address, more) => { if (!String(address).endsWith('/keep')) return real(address, more); window.songs.push(JSON.parse(more.body).song); return Promise.resolve(new Response('{\"id\": \"none\"}')); };")
        self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Keep song').click()")
        self.assertEqual(self.page.until("return window.songs.length && window.songs"), ["present"])
        self.page.open("/radio", pair=None)
        self.recent("Of Harbour", "Of Harbour too")
        self.page.module("s.set('full', false); p.player.close(); p.player.setWhere('here');")
        self.tune("harbour", "kestrel")
        self.phase("live")
        first = self.page.browser.current_window_handle
        self.page.browser.switch_to.new_window("tab")
        try:
            self.page.open("/radio", pair=None)
            self.phase("live")
            self.recent("Of Harbour")
        finally:
            self.page.browser.close()
            self.page.browser.switch_to.window(first)

    def test_a_recording_that_sounds_there_and_is_marked_played_is_left(self):
        id = self.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 20})["id"]
        detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
        self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=60))
        self.page.module(f"p.player.setWhere('there'); const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 2);")
        self.phase("playing")
        self.page.module("s.set('full', true);")
        self.page.click("recording-player [aria-label=More]")
        mark = "[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Mark played')"
        self.page.until(f"return !!{mark}")
        self.page.run(f"{mark}.click()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase !== 'playing')")
        time.sleep(1.5)
        self.assertTrue(detail()["listening"]["finished"], detail()["listening"])

    def test_the_volume_there_stays_where_it_is_drawn_to(self):
        self.addCleanup(self.page.open, "/radio", pair=None)
        self.page.module("""
            p.player.setWhere('there');
            const real = window.fetch;
            window.fetch = async (address, more) => { const answer = await real(address, more); if (String(address).endsWith('/volume')) await new Promise((then) => setTimeout(then, 300)); return answer; };
            window.volumes = [];
            s.watch('volume', (volume) => window.volumes.push(volume), {now: false});
            for (const volume of [30, 45, 60]) { p.player.setVolume(volume); await new Promise((then) => setTimeout(then, 100)); }""")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/player")["volume"] == 60))
        time.sleep(1)
        volumes = self.page.run("return window.volumes")
        self.assertEqual((volumes, volumes[-1]), (sorted(volumes), 60))
        self.page.module("p.player.setVolume(100);")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/player")["volume"] == 100))


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Wide(WebCase):
    width, height = 1440, 900

    def test_UI_L11_list_and_player_side_by_side(self):
        self.page.open("/radio", pair=None)
        self.page.until("return document.querySelectorAll('station-row').length === 3")
        self.page.click("station-row .row-play")
        self.page.until("return document.querySelector('live-player .big-play')")
        found = self.page.run("const list = document.querySelector('station-row').getBoundingClientRect(), player = document.querySelector('live-player .big-play').getBoundingClientRect(); return {list: list.right, player: player.left, below: player.bottom, inert: document.querySelector('full-player').inert, width: document.documentElement.scrollWidth}")
        self.assertLess(found["list"], found["player"])
        self.assertLess(found["below"], self.height)
        self.assertFalse(found["inert"])
        self.assertLessEqual(found["width"], self.width)


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Gusts(WebCase):
    def test_UI_L2_a_guest_knows_gusts_by_pauses_in_short_order_and_forgets_a_busy_moment(self):
        said = self.page.run("""
            return (async () => {
                const {Arrivals} = await import('/player/core/arrivals.js');
                const {unfollow, follow} = await import('/player/core/events.js');
                unfollow();
                const real = performance.now;
                let now = 0;
                performance.now = () => now;
                const arrivals = new Arrivals(), said = [];
                const come = (pause, times) => { for (let i = 0; i < times; i += 1) { now += pause; arrivals.came(); } };
                const isThere = (later) => { now += later; said.push(arrivals.arriving); now -= later; };
                try {
                    arrivals.begin({id: 'harbour'});
                    come(100, 10);
                    isThere(400); isThere(500);
                    come(600, 3);
                    isThere(1400); isThere(1600);
                    come(100, 250);
                    isThere(400); isThere(500);
                } finally { performance.now = real; follow(); }
                return said;
            })();
        """)
        self.assertEqual(said, [True, False, True, False, True, False])


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class PortOfItsOwn(unittest.TestCase):
    """The mounts are on another port than the page, which a browser takes for a stranger's."""

    SOUNDS = "return import('/player/core/player.js').then((p) => p.elements.live.currentTime > 1)"

    def open(self, script):
        ports = free_port(), free_port()
        world = World(settings="[server]\nport = %d\nlisten_port = %d\n" % ports)
        self.addCleanup(world.close)
        service = world.service
        service.stop()
        service.words, service.port = service.words[:2], ports[0]
        service.start()
        browser = chromium()
        self.addCleanup(browser.quit)
        graphed = "window.graphed = []; const real = AudioContext.prototype.createMediaElementSource; AudioContext.prototype.createMediaElementSource = function (element) { window.graphed.push(element); return real.call(this, element); };"
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": graphed + script})
        self.port = ports[1]
        return Page(browser, service).open("/radio")

    def assert_it_is_heard(self, page):
        page.until(self.SOUNDS, within=15)
        self.assertIn(f":{self.port}/", page.run("return import('/player/core/player.js').then((p) => p.elements.live.currentSrc)"))
        self.assertFalse(page.run("return import('/player/core/player.js').then((p) => window.graphed.includes(p.elements.live))"))

    def test_a_mount_of_another_origin_is_not_led_through_the_graph_that_would_silence_it(self):
        page = self.open("")
        page.until("return import('/player/core/store.js').then((s) => s.get('status'))")
        page.click("station-row .row-play")
        self.assert_it_is_heard(page)
        self.assertEqual(page.run("return window.graphed.length"), 0)

    def test_whoever_plays_before_the_service_has_said_where_its_mounts_are_hears_them_as_soon_as_it_has(self):
        page = self.open("const listen = EventSource.prototype.addEventListener; EventSource.prototype.addEventListener = function (name, react) { return listen.call(this, name, name === 'hello' ? (event) => { window.hello = () => react(event); } : react); };")
        page.until("return window.hello && document.querySelector('station-row .row-play')")
        page.run("import('/player/core/player.js').then((p) => p.player.setVolume(70))")
        page.click("station-row .row-play")
        page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'failed')")
        page.run("window.hello()")
        self.assert_it_is_heard(page)
        self.assertAlmostEqual(page.run("return import('/player/core/player.js').then((p) => p.elements.live.volume)"), 0.7)


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Sizes(WebCase):
    def test_Always_fits_from_320_to_2560(self):
        self.service.call("PUT", "/api/v1/stations/harbour/preset", {"number": 3})
        self.addCleanup(self.service.call, "DELETE", "/api/v1/stations/harbour/preset")
        for width in (320, 360, 768, 1440, 2560):
            self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            for path in ("/", "/radio", "/search", "/library", "/settings", "/station/nightwave"):
                self.page.open(path, pair=None)
                wide = self.page.run("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, f"{path} at {width}")
                if path == "/library":
                    self.assertTrue(self.page.until("const more = document.querySelector('[aria-label=\"Change preset 3\"]'); more?.scrollIntoView({block: 'center'}); const box = more?.getBoundingClientRect(), cell = more?.closest('li').getBoundingClientRect(); return box && {isHit: more.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)) && box.right <= cell.right + 1}")["isHit"], f"at {width}")


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Reduced(WebCase):
    reduced = True

    def test_Always_reduced_motion_stands_still(self):
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        self.page.until("return document.querySelector('mini-player scan-bar')?.hasAttribute('moving')")
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('live-player .live-badge')")
        self.assertEqual(self.page.run("return document.getAnimations().filter((each) => each.playState === 'running').length"), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
