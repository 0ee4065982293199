"""The page's state: tabs that hand the sound over, events that were missed, lists whose contents went, and what is only heard later."""
import http.server
import threading
import time
import unittest

from support import Page, WebCase, World, chromium, eventually, needs
from test_personal import png

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")

PHASE = "return import('/player/core/store.js').then((s) => s.get('player').phase === arguments[0])"
SOURCE = "return import('/player/core/player.js').then((p) => p.elements.live.getAttribute('src'))"


# A stream of events that a test may refuse, and whose words it may add to.
EVENTS = """
window.sources = [];
window.EventSource = class extends EventSource {
  constructor(address) { super(sessionStorage.getItem('refused') ? '/api/v1/nothing' : address); window.sources.push(this); }
};
"""


class SlowPictures:
    """A server of pictures that takes its time for each."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                time.sleep(0.5)
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(png(30, 90, 230))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@WEB
class State(WebCase):
    @classmethod
    def setUpClass(cls):
        pictures = SlowPictures().server
        cls.addClassCleanup(pictures.shutdown)
        more = "".join(f'\n[[station]]\nid = "logo-{index}"\nname = "Logo {index}"\nurls = ["http://127.0.0.1:1/{index}"]\ngenre = "Pictures"\nlogo = "http://127.0.0.1:{pictures.server_port}/{index}.png"\nlocal = true\n' for index in range(9))
        cls.world = World(more_stations=more)
        cls.addClassCleanup(cls.world.close)
        cls.service, cls.icecast = cls.world.service, cls.world.icecast
        cls.browser = chromium(cls.width, cls.height)
        cls.addClassCleanup(cls.browser.quit)
        cls.page = Page(cls.browser, cls.service).open("/library")

    def follow(self):
        """Loads the page with streams of events that the test holds."""
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": EVENTS})["identifier"]
        self.addCleanup(self.page.open, "/radio", pair=None)
        self.addCleanup(self.page.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.addCleanup(self.page.run, "sessionStorage.removeItem('refused')")
        self.page.open("/radio", pair=None)

    def tune(self, id="nightwave"):
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.tune(await api.get('stations/{id}'), null);")
        self.page.until(PHASE, "live")

    def test_a_tab_falls_silent_when_another_moves_the_sound_there(self):
        self.page.open("/radio", pair=None)
        first = self.page.browser.current_window_handle
        self.tune()
        self.page.browser.switch_to.new_window("tab")
        second = self.page.browser.current_window_handle
        try:
            self.page.open("/radio", pair=None)
            self.page.until(PHASE, "live")
            self.page.module("p.player.setWhere('there');")
            self.page.browser.switch_to.window(first)
            self.assertTrue(eventually(lambda: self.page.run(SOURCE) is None, within=5), "it sounds on, and nothing can stop it")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').where === 'there')")
        finally:
            self.page.browser.switch_to.window(second)
            self.page.browser.close()
            self.page.browser.switch_to.window(first)
            self.service.call("POST", "/api/v1/player/stop")

    def test_a_station_tuned_by_hand_leaves_the_dial_and_its_name(self):
        made = self.service.call("POST", "/api/v1/dials", {"name": "Mine", "stations": ["nightwave", "harbour"]})
        self.addCleanup(self.service.call, "DELETE", f"/api/v1/dials/{made['id']}")
        self.page.module("const {dials} = await import('/player/core/dial.js'); await dials.play((await dials.all())[0]);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('dial')?.name === 'Mine' && s.get('player').listName === 'Mine')")
        self.tune("kestrel")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station.id === 'kestrel' && s.get('player').listName === '' && s.get('dial') === null)")

    def test_late_words_of_a_station_that_was_left_are_not_heard(self):
        self.tune()
        said = self.page.module("""
            p.player.stop();
            const said = [], end = s.watch('player', (state) => said.push(state.phase));
            for (const name of ['playing', 'waiting', 'progress', 'pause', 'ended', 'error']) p.elements.live.dispatchEvent(new Event(name));
            await new Promise((then) => setTimeout(then, 1500));
            end();
            return said;""")
        self.assertEqual(set(said), {"stopped"})

    def test_events_come_once_a_refused_browser_is_paired(self):
        self.page.run("sessionStorage.setItem('refused', 'yes')")
        self.follow()
        status = "return import('/player/core/store.js').then((s) => s.get('status')?.version ?? null)"
        self.page.until("return window.sources.length && window.sources.every((each) => each.readyState === EventSource.CLOSED)")
        self.assertIsNone(self.page.run(status))
        self.page.run("sessionStorage.removeItem('refused')")
        self.page.wait("import('/player/core/pairing.js').then(({pair}) => pair(arguments[0])).then(done)".replace("arguments[0]", repr(self.service.code())))
        self.page.until(status, within=5)

    def test_what_was_missed_is_fetched_anew(self):
        self.follow()
        self.page.module("await import('/player/parts/live-player.js'); await import('/player/core/queue.js');")
        self.page.until("return import('/player/core/store.js').then((s) => ['status', 'queue', 'favourites', 'thumbs'].every((name) => s.get(name)))")
        stale = "s.set('queue', ['gone']); s.set('favourites', [{id: 'gone'}]); s.set('thumbs', [{title: 'gone'}]); s.set('status', null);"
        fresh = "return import('/player/core/store.js').then((s) => s.get('status') && ![s.get('queue'), s.get('favourites'), s.get('thumbs')].some((each) => JSON.stringify(each).includes('gone')))"
        for said in ("window.sources.at(-1).dispatchEvent(new MessageEvent('resync', {data: '{}'}))", "dispatchEvent(new Event('online'))"):
            self.page.module(stale)
            self.page.run(said)
            self.page.until(fresh, within=5)
        self.page.module(stale)
        self.service.stop()
        self.service.start()
        self.page.until(fresh, within=20)

    def test_a_tab_opened_in_the_background_leaves_its_events_too(self):
        self.follow()
        hidden = "Object.defineProperty(Document.prototype, 'hidden', {get: () => true}); const now = Date.now; Date.now = () => now() + (window.gone ?? 0);"
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hidden})["identifier"]
        self.addCleanup(self.page.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.page.open("/radio", pair=None)
        self.page.until("return window.sources.at(-1)?.readyState === EventSource.OPEN")
        self.page.run("window.gone = 61_000")
        self.page.until("return window.sources.at(-1).readyState === EventSource.CLOSED", within=15)

    def test_an_internet_that_is_away_is_no_service_that_is_away(self):
        self.follow()
        self.page.until("return window.sources.at(-1)?.readyState === EventSource.OPEN")
        banner = "return document.querySelector('[data-banner=offline]') !== null"
        self.page.run("dispatchEvent(new Event('offline'))")
        time.sleep(0.5)
        self.assertEqual(self.page.run(banner + " || window.sources.length > 1"), False)
        # One that does not answer either is followed anew, which says how it is.
        self.page.run("const real = window.fetch; window.fetch = (...asked) => { window.fetch = real; return Promise.reject(new TypeError('away')); }; dispatchEvent(new Event('offline'))")
        self.page.until("return window.sources.length === 2 && window.sources[1].readyState === EventSource.OPEN")
        # A guest follows nothing that could take the banner away again.
        self.page.module("const {unfollow} = await import('/player/core/events.js'); s.set('session', {role: 'anyone'}); unfollow();")
        self.page.run("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))")
        time.sleep(0.5)
        self.assertEqual(self.page.run(banner), False)

    def test_rows_that_are_shown_say_what_was_missed(self):
        """What was starred and what ended in a gap of the events is so in the rows that stood there before."""
        made = lambda seconds: self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": seconds, "show": "Missed"})["id"]
        finished = lambda id: eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=30)
        starred = made(3)
        self.assertTrue(finished(starred))
        self.follow()
        ended = made(6)
        self.page.open("/recordings/show/show%3AMissed", pair=None)
        self.page.until("const rows = [...document.querySelectorAll('main recording-row')]; [window.ended, window.starred] = rows; return rows.length === 2 && rows[0].querySelector('.meta').textContent.includes('Recording now')")
        self.page.run("window.sources.at(-1).close()")
        self.service.call("PUT", f"/api/v1/recordings/{starred}/listening", {"starred": True})
        self.assertTrue(finished(ended))
        self.page.run("window.sources.at(-1).dispatchEvent(new MessageEvent('resync', {data: '{}'}))")
        self.page.until("return window.starred.isConnected && window.starred.querySelector('.star').checkVisibility()")
        self.page.until("return window.ended.isConnected && !window.ended.querySelector('.meta').textContent.includes('Recording now') && !window.ended.querySelector('.spin') && !window.ended.querySelector('play-cell button').disabled")
        for id in (starred, ended):
            self.service.call("DELETE", f"/api/v1/recordings/{id}")

    def test_a_screen_of_what_the_house_did_follows_it(self):
        """Done on another device or in the player beside it: it is there at once, and the focus and what is being written stay."""
        self.follow()
        favourite = lambda value: self.service.call("PUT", "/api/v1/stations/harbour/favourite", {"value": value})
        self.addCleanup(favourite, False)
        self.page.open("/library", pair=None)
        self.page.run("document.querySelectorAll('.preset')[2].focus()")
        hearted = "[...document.querySelectorAll('main station-row')].some((row) => row.station.id === 'harbour')"
        favourite(True)
        self.page.until("return " + hearted)
        self.assertIn("Preset 3", self.page.run("return document.activeElement.getAttribute('aria-label') ?? ''"))
        # Missed by the events, it is there after the gap.
        self.page.run("window.sources.at(-1).close()")
        favourite(False)
        self.page.run("window.sources.at(-1).dispatchEvent(new MessageEvent('resync', {data: '{}'}))")
        self.page.until(f"return !{hearted}")
        self.page.open("/history", pair=None)
        self.service.call("POST", "/api/v1/history", {"station": "kestrel"})
        self.page.until("return document.querySelector('main .history li')?.textContent.includes('Kestrel')")
        made, detail = self.record("harbour", 4)
        self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=40))
        self.page.open(f"/recordings/{made}", pair=None)
        self.page.until("return document.querySelector('main form.inline input')")
        self.page.run("const note = document.querySelector('main form.inline input'); note.value = 'half a note'; note.focus()")
        self.service.call("POST", f"/api/v1/recordings/{made}/bookmarks", {"seconds": 2, "note": "the solo"})
        self.page.until("return document.querySelector('main .jump')?.textContent.includes('the solo')")
        self.assertEqual(self.page.run("return document.activeElement.value"), "half a note")
        self.service.call("DELETE", f"/api/v1/recordings/{made}")

    def test_UI_P5_a_thumb_comes_into_the_collection_that_is_open(self):
        self.tune("kestrel")
        self.heard("kestrel", "Ada Fenn - Tin Roof")
        self.page.run("return import('/player/core/router.js').then((r) => r.go('/collection'))")
        self.page.until("return document.querySelector('main h1').textContent === 'My collection'")
        self.service.call("PUT", "/api/v1/thumbs", {"station": "kestrel", "direction": "up"})
        self.addCleanup(self.service.call, "PUT", "/api/v1/thumbs", {"station": "kestrel", "direction": "none"})
        button = "[...document.querySelectorAll('.collection li')].find((each) => each.textContent.includes('Tin Roof'))?.querySelector('button')"
        self.page.until("return " + button)
        # Asking for the song and taking that back leaves the focus where it was.
        for words in ("Will be recorded", "Record it next time"):
            self.page.run(f"{button}.focus(); {button}.click()")
            self.page.until(f"return {button}?.textContent === {words!r}")
            self.page.until(f"return document.activeElement === {button}")

    def heard(self, station, title):
        self.icecast.title(station, title)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('heard')?.title === arguments[0])", title.split(" - ")[1], within=15)

    def test_a_thumb_is_for_the_title_that_is_shown(self):
        """Another track has begun at the station; this browser, seconds behind, still hears and shows the one before."""
        self.tune()
        self.heard("nightwave", "Ella Marlowe - Shown")
        self.page.module("s.set('full', true);")
        self.page.until("return !document.querySelector('live-player .thumb.up').disabled && document.querySelector('live-player .now-airing').textContent === 'Shown'")
        # What is to come is there already: it is held back as a slow browser holds it.
        self.page.module("const heard = s.get('heard'); window.unwatch = s.watch('heard', (mark) => { if (mark !== heard) s.set('heard', heard); });")
        try:
            self.icecast.title("nightwave", "Ada Fenn - Arriving")
            self.assertTrue(eventually(lambda: (self.service.get("/api/v1/stations/nightwave/now")["now"] or {}).get("title") == "Arriving"))
            self.page.until("return import('/player/core/titles.js').then((t) => t.recentTitles()[0]?.title === 'Arriving')")
            self.page.click(".thumb.up")
            given = lambda: [each["title"] for each in self.service.get("/api/v1/thumbs")["thumbs"] if each["direction"] == "up"]
            self.assertTrue(eventually(given))
            self.assertEqual(given(), ["Shown"])
            self.page.until("return document.querySelector('.thumb.up').getAttribute('aria-pressed') === 'true'")
            self.page.click(".thumb.up")
            self.assertTrue(eventually(lambda: given() == []), "it is taken back from the same title")
            # And the song that is kept is the one that is shown.
            asked = "window.songs = []; const real = window.fetch; window.fetch = (address, more) => { if (String(address).endsWith('/keep')) window.songs.push(JSON.parse(more.body).song); return real(address, more); };"
            self.page.run(asked)
            self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Keep song').click()")
            self.assertTrue(eventually(lambda: self.page.run("return window.songs") == ["previous"]), self.page.run("return window.songs"))
        finally:
            self.page.run("window.unwatch()")

    def test_a_thumb_down_there_leaves_one_station_and_no_more(self):
        self.page.module("const {api} = await import('/player/core/api.js'); const stations = await Promise.all(['nightwave', 'harbour', 'kestrel'].map((id) => api.get('stations/' + id))); p.player.tune(stations[0], {name: 'Test list', stations});")
        self.page.until(PHASE, "live")
        self.heard("nightwave", "Ella Marlowe - Not This")
        self.page.module("s.set('full', true);")
        self.page.until("return !document.querySelector('live-player .thumb.down').disabled")
        # The page asks nothing of the service's player beside the thumb: that leaves the station by itself.
        self.page.run("window.asked = []; const real = window.fetch; window.fetch = (address, more) => { if (more?.method !== 'GET') window.asked.push(String(address)); return real(address, more); };")
        self.page.module("s.set('player', {...s.get('player'), where: 'there'}); document.querySelector('.thumb.down').click();")
        self.page.until("return window.asked.includes('/api/v1/thumbs')")
        time.sleep(1.5)
        self.assertEqual(self.page.run("return window.asked.filter((each) => each.includes('/player/'))"), [])
        self.assertEqual(self.page.state()["station"]["id"], "nightwave")

    def test_a_thumb_down_that_is_answered_late_skips_no_other_station(self):
        self.page.module("const {api} = await import('/player/core/api.js'); const stations = await Promise.all(['nightwave', 'harbour', 'kestrel'].map((id) => api.get('stations/' + id))); p.player.tune(stations[0], {name: 'Test list', stations});")
        self.page.until(PHASE, "live")
        self.heard("nightwave", "Ella Marlowe - Nor This")
        self.page.module("s.set('full', true);")
        self.page.until("return !document.querySelector('live-player .thumb.down').disabled")
        self.page.run("window.answered = 0; const real = window.fetch; window.fetch = async (address, more) => { if (String(address).endsWith('/thumbs')) await new Promise((then) => setTimeout(then, 500)); const answer = await real(address, more); window.answered += String(address).endsWith('/thumbs'); return answer; };")
        self.addCleanup(self.page.open, "/radio", pair=None)
        self.page.module("document.querySelector('live-player .thumb.down').click(); p.player.next();")
        self.page.until("return window.answered >= 2")
        time.sleep(0.5)
        self.assertEqual(self.page.state()["station"]["id"], "harbour")

    def test_UI_P5_what_is_recorded_next_time_is_that_song_by_that_artist(self):
        self.tune("harbour")
        self.heard("harbour", "Juniper Vale - Salt Market")
        self.service.call("PUT", "/api/v1/thumbs", {"station": "harbour", "direction": "up"})
        self.addCleanup(self.service.call, "PUT", "/api/v1/thumbs", {"station": "harbour", "direction": "none"})
        self.page.open("/collection", pair=None)
        button = "[...document.querySelectorAll('.collection li')].find((each) => each.textContent.includes('Salt Market'))?.querySelector('button')"
        self.page.until("return " + button)
        self.page.run(button + ".click()")
        watches = lambda: self.service.get("/api/v1/watches")["watches"]
        self.assertTrue(eventually(watches))
        self.assertEqual((watches()[0]["words"], watches()[0]["in"], watches()[0]["action"]), ("Juniper Vale Salt Market", "any", "record"))
        # What is waited for is shown, with the song and in a list of its own, and can be taken back.
        self.page.until("return document.querySelector('main .wishes')?.textContent.includes('Juniper Vale Salt Market')")
        self.assertEqual(self.page.run(f"return {button}.textContent"), "Will be recorded")
        self.page.open("/collection", pair=None)
        self.page.until(f"return {button}?.textContent === 'Will be recorded'")
        self.page.run(button + ".click()")
        self.assertTrue(eventually(lambda: watches() == []))
        self.page.until(f"return {button}?.textContent === 'Record it next time' && !document.querySelector('main .wishes')")

    def test_UI_P5_the_newest_sixty_first(self):
        thumbs = [{"direction": "up", "artist": "A", "title": f"Song {index:02}", "station": "harbour", "at": f"2026-0{1 + index // 28}-{1 + index % 28:02}T10:00:00+00:00"} for index in range(70)]
        scrambled = thumbs[::3] + thumbs[1::3] + thumbs[2::3]
        wishes = [{"id": number, "words": f"wish {number}", "in": "any", "action": "record", "created": f"2026-03-{number:02}T10:00:00+00:00", "hits": 0} for number in (4, 9, 2)]
        answers = {"/api/v1/thumbs": {"thumbs": scrambled}, "/api/v1/watches": {"watches": wishes}}
        import json
        source = f"const answers = {json.dumps(answers)}; window.looked = 0; const real = window.fetch; window.fetch = (address, ...more) => {{ const path = new URL(address, location.href).pathname; if (path === '/api/v1/recordings') window.looked += 1; return answers[path] ? Promise.resolve(new Response(JSON.stringify(answers[path]))) : real(address, ...more); }};"
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})["identifier"]
        self.addCleanup(self.page.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.page.open("/collection", pair=None)
        titles = "return [...document.querySelectorAll('.collection strong')].map((each) => each.textContent)"
        self.page.until("return document.querySelectorAll('.collection li').length >= 60", within=20)
        self.assertEqual(self.page.run(titles), [f"Song {index:02}" for index in range(69, 9, -1)])
        self.assertEqual(self.page.run("return window.looked"), 60, "only those that are shown are looked for")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('.wishes strong')].map((each) => each.textContent)"), ["wish 9", "wish 4", "wish 2"])
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Show older ones').click()")
        self.page.until("return document.querySelectorAll('.collection li').length === 70", within=20)
        self.assertEqual(self.page.run(titles)[-1], "Song 00")
        self.assertFalse(self.page.run("return [...document.querySelectorAll('main .pill')].some((each) => each.textContent === 'Show older ones' && each.checkVisibility())"))

    def test_what_is_deleted_leaves_up_next_on_every_page(self):
        made = [self.record(station, 4) for station in ("nightwave", "harbour")]
        for _, detail in made:
            self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=40))
        kept, gone = (id for id, _ in made)
        queue = lambda: self.service.get("/api/v1/queue")["recordings"]
        self.service.call("PUT", "/api/v1/queue", {"recordings": [gone, "20261130-000000-none", kept, gone]})
        self.assertEqual(queue(), [gone, kept], "what is not there is not up next, and nothing twice")
        self.page.open("/queue", pair=None)
        self.page.until("return document.querySelectorAll('.queue-row').length === 2")
        self.page.module("const {all} = await import('/player/core/recordings.js'); await all();")
        self.service.call("DELETE", f"/api/v1/recordings/{gone}")
        self.assertEqual(queue(), [kept])
        self.page.until("return document.querySelectorAll('.queue-row').length === 1 && import('/player/core/store.js').then((s) => s.get('queue').join() === arguments[0] && !s.get('recordings').some((each) => each.id === arguments[1]))", kept, gone)
        self.service.stop()
        self.service.start()
        self.assertEqual(queue(), [kept])
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})

    def test_every_picture_of_a_list_comes_at_the_first_visit(self):
        self.page.open("/radio?genre=Pictures", pair=None)
        self.page.until("return document.querySelectorAll('main station-row').length === 9")
        self.page.until("return document.querySelectorAll('main station-row .tile.has-art').length === 9", within=25)

    def test_settings_ask_no_operator_to_pair(self):
        self.page.browser.delete_all_cookies()
        self.addCleanup(self.page.open, "/radio")
        self.addCleanup(self.page.browser.delete_all_cookies)
        self.page.open("/radio", pair="operator")
        self.page.open("/settings", pair=None)
        self.page.until("return document.querySelector('main').textContent.split('Only an admin sees these.').length === 3")
        self.assertFalse(self.page.run("return document.querySelector('main').textContent.includes('No tokens yet')"))
        time.sleep(0.5)
        self.assertFalse(self.page.run("return document.querySelector('dialog[data-sheet=pair]') !== null"))

    def record(self, station, seconds):
        id = self.service.call("POST", "/api/v1/recordings", {"station": station, "seconds": seconds})["id"]
        return id, lambda: self.service.get(f"/api/v1/recordings/{id}")

    def test_up_next_moves_what_is_shown_where_one_is_gone(self):
        made = [self.record(station, 4) for station in ("nightwave", "harbour")]
        for _, detail in made:
            self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=40))
        ids = [id for id, _ in made]
        self.page.open("/queue", pair=None)
        # The service's own queue comes first, or it would come over the one below.
        self.page.until("return import('/player/core/store.js').then((s) => Array.isArray(s.get('queue')))")
        self.page.module(f"const {{all}} = await import('/player/core/recordings.js'); await all(); s.set('queue', ['gone', {ids[0]!r}, {ids[1]!r}]);")
        self.page.until("return document.querySelectorAll('.queue-row .handle').length === 2")
        self.page.run("document.querySelectorAll('.queue-row .handle')[1].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', altKey: true, bubbles: true}))")
        shown = "return import('/player/core/store.js').then((s) => s.get('queue').filter((id) => id !== 'gone'))"
        self.assertTrue(eventually(lambda: self.page.run(shown) == [ids[1], ids[0]], within=4), self.page.run(shown))
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})

    def test_what_is_said_to_be_deleted_is(self):
        made = [self.record("harbour", 4) for _ in range(2)]
        for _, detail in made:
            self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=40))
        stored = lambda: {each["id"] for each in self.service.get("/api/v1/recordings")["recordings"]}
        row = "[...document.querySelectorAll('recording-row')].find((row) => row.recording.id === '%s')"
        press = lambda id: self.page.run(row % id + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete', bubbles: true, cancelable: true}))")
        kept, gone = (id for id, _ in made)
        # For whoever may not, nothing is said to be done.
        self.page.open("/recordings", pair=None)
        self.page.until("return " + row % kept)
        self.page.module("window.session = s.get('session'); s.set('session', {role: 'operator'});")
        press(kept)
        self.page.until("return document.querySelector('toast-host .error')?.textContent.includes('admin')")
        self.assertTrue(self.page.run("return !!" + row % kept))
        self.page.module("s.set('session', window.session);")
        # What comes from the service meanwhile does not bring it back, and leaving the page does not keep it.
        press(gone)
        self.page.until("return !" + row % gone)
        self.page.module("const {followAnew} = await import('/player/core/events.js'); s.set('status', null); followAnew();")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('status'))")
        time.sleep(1)
        self.assertTrue(self.page.run("return !" + row % gone))
        self.assertIn(gone, stored())
        self.page.browser.get("about:blank")
        self.assertTrue(eventually(lambda: gone not in stored(), within=4), "it is still there")
        self.page.open("/recordings", pair=None)
        self.page.until("return " + row % kept)

    def test_an_emptied_search_stays_empty_and_a_left_one_writes_no_address(self):
        self.page.open("/search", pair=None)
        self.page.run("const real = window.fetch; window.fetch = async (address, more) => { if (String(address).includes('query=')) await new Promise((done) => setTimeout(done, 900)); return real(address, more); };")
        write = "const box = document.querySelector('main [type=search]'); box.value = arguments[0]; box.dispatchEvent(new Event('input'));"
        self.page.run(write, "harbour")
        time.sleep(0.4)
        self.page.run(write, "")
        time.sleep(1.6)
        self.assertEqual(self.page.run("return document.querySelectorAll('main station-row').length"), 0)
        self.page.run(write, "night")
        self.page.wait("import('/player/core/router.js').then(({go}) => go('/radio')).then(done)")
        time.sleep(0.5)
        self.assertEqual(self.page.run("return location.pathname + location.search"), "/player/radio")

    def test_presets_are_tuned_by_key_and_emptied(self):
        self.service.call("PUT", "/api/v1/stations/kestrel/preset", {"number": 7})
        # A page that has never looked at the station.
        self.page.open("/settings", pair=None)
        self.assertFalse(self.page.module("return s.get('stations').has('kestrel');"))
        self.page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '7', bubbles: true}))")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station?.id === 'kestrel')")
        self.page.module("const {api} = await import('/player/core/api.js'); p.player.tune(await api.get('stations/harbour'), null);")
        self.page.open("/library", pair=None)
        self.tune("harbour")
        choose = lambda text: (self.page.until("return document.querySelector(\"main [aria-label='Change preset 7']\")?.click() ?? true"), self.page.until("return [...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === arguments[0])", text), self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === arguments[0]).click()", text))
        choose("Put Harbour Radio here")
        self.page.until("return document.querySelector('main [aria-label=\"Preset 7: Harbour Radio\"]')")
        self.assertEqual(self.service.get("/api/v1/stations/harbour").get("preset"), 7)
        choose("Empty this preset")
        self.page.until("return document.querySelector('main [aria-label=\"Preset 7: empty\"]')")
        self.assertNotIn("preset", self.service.get("/api/v1/stations/harbour"))

    def two_files(self):
        """A recording of a station that changes its codec on the way, with a title in each file. It is made once."""
        cls = type(self)
        if not hasattr(cls, "of_two_files"):
            id = self.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 24, "show": "Two Parts"})["id"]
            detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
            self.assertTrue(eventually(lambda: detail()["seconds"] > 3, within=20))
            self.icecast.title("kestrel", "Ines Dahl - Tides today")
            self.assertTrue(eventually(lambda: detail()["seconds"] > 8 and detail()["titles"], within=20), detail())
            self.world.programs.stop(self.icecast.sources["kestrel"])
            self.assertTrue(eventually(lambda: not self.icecast.is_on("kestrel")))
            self.icecast.source("kestrel", 880, codec="opus", title="Roads")
            self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=60, step=0.5), detail())
            cls.of_two_files = id
        id = cls.of_two_files
        files = self.service.get(f"/api/v1/recordings/{id}")["files"]
        self.assertEqual(len(files), 2, files)
        return id, files

    def test_each_of_two_files_is_an_episode_of_its_own(self):
        """With its own sound, length and chapters: podcast apps take one file an episode."""
        import json
        import urllib.error
        import urllib.request
        import feedparser
        id, files = self.two_files()
        fetch = lambda path: urllib.request.urlopen(f"{self.service.address}/api/v1/recordings/{id}/{path}")
        feed = feedparser.parse(urllib.request.urlopen(f"{self.service.address}/api/v1/feeds/show%3ATwo%20Parts.xml").read())
        self.assertEqual([entry.id for entry in feed.entries], [f"{id}.2", id])
        found = []
        for entry, file, number in zip(feed.entries[::-1], files, (1, 2)):
            self.assertIn(f"({number} of 2)", entry.title)
            self.assertEqual((len(entry.enclosures), int(entry.enclosures[0].length)), (1, file["bytes"]))
            self.assertTrue(entry.enclosures[0].href.endswith(f"/audio?file={number}"))
            sound = urllib.request.urlopen(entry.enclosures[0].href)
            self.assertEqual((len(sound.read()), sound.headers["Content-Type"]), (file["bytes"], entry.enclosures[0].type))
            self.assertAlmostEqual(float(entry.itunes_duration), file["seconds"], delta=1)
            chapters = json.load(fetch(f"chapters.json?file={number}"))["chapters"]
            self.assertTrue(all(0 <= each["startTime"] < file["seconds"] for each in chapters), chapters)
            found.append(chapters)
        self.assertEqual(feed.entries[1].enclosures[0].type, "audio/mpeg")
        self.assertIn(feed.entries[0].enclosures[0].type, ("audio/ogg", "audio/opus"))
        # Each has what aired in it, and the second counts from its own start.
        self.assertEqual([[each["title"] for each in chapters][-1:] for chapters in found], [["Ines Dahl - Tides today"], ["Roads"]])
        self.assertGreater(found[0][-1]["startTime"], 1)
        self.assertLess(found[1][-1]["startTime"], 2)
        whole = json.load(fetch("chapters.json"))["chapters"]
        self.assertAlmostEqual(whole[-1]["startTime"], files[0]["seconds"] + found[1][-1]["startTime"], delta=0.5)
        # There is no third.
        for path in ("chapters.json?file=3", "audio?file=3"):
            with self.assertRaises(urllib.error.HTTPError, msg=path) as refused:
                fetch(path)
            self.assertEqual(refused.exception.code, 404)
            self.assertIn("2 files", refused.exception.read().decode())

    def test_a_recording_of_two_files_plays_on_and_each_can_be_fetched(self):
        """The station changes its codec on the way: the second file plays after the first, and is found by its place."""
        id, files = self.two_files()
        self.page.open(f"/recordings/{id}", pair=None)
        links = self.page.until("const links = [...document.querySelectorAll('main .files a')]; return links.length === 2 && links.map((each) => each.href)")
        sizes = [self.page.wait(f"fetch({link!r}).then((answer) => answer.arrayBuffer()).then((body) => done(body.byteLength))") for link in links]
        self.assertEqual(sizes, [each["bytes"] for each in files])
        first = files[0]["seconds"]
        play = f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), arguments[0]);"
        at = "return import('/player/core/player.js').then((p) => [p.position(), p.elements.recorded.getAttribute('src')])"
        self.page.module(play.replace("arguments[0]", str(first - 2)))
        self.page.until("return import('/player/core/player.js').then((p) => p.position() > arguments[0] && p.elements.recorded.getAttribute('src').endsWith('?file=2'))", first + 1, within=15)
        self.assertLess(self.page.run(at)[0], first + 8)
        self.page.module("p.player.seek(1);")
        self.page.until("return import('/player/core/player.js').then((p) => !p.elements.recorded.getAttribute('src').includes('file=2') && p.position() > 1.3 && p.position() < 6 && p.isSounding())")
        self.page.module("p.player.close();")
        self.page.module(play.replace("arguments[0]", str(first + 3)))
        self.page.until("return import('/player/core/player.js').then((p) => p.position() > arguments[0] && p.position() < arguments[0] + 6)", first + 3.2)

    def test_every_file_of_a_recording_comes_to_this_device(self):
        """One after another into the page, and by the browser itself where they are more than a GiB together."""
        import pathlib
        id, files = self.two_files()
        folder = pathlib.Path(self.service.get(f"/api/v1/recordings/{id}")["path"]).parent
        stored = {file["name"]: (folder / file["name"]).read_bytes() for file in files}
        marked = lambda: (self.service.get(f"/api/v1/recordings/{id}").get("listening") or {}).get("downloaded")
        for size, words, fetched in ((None, "is on this device", 2), (2**29 + 1, "The browser downloads it", 0)):
            with self.subTest(words):
                self.service.call("PUT", f"/api/v1/recordings/{id}/listening", {"downloaded": False})
                here = self.page.downloads(self)
                # Its size is said to be that; what is sent is what there is.
                self.page.open(f"/recordings/{id}", pair=None)
                self.page.module(f"""
                    const {{loadDetail}} = await import('/player/core/chapters.js'), {{download}} = await import('/player/core/downloads.js');
                    const detail = await loadDetail({id!r}), size = {size or "null"};
                    if (size) for (const file of detail.files) file.bytes = size;
                    window.fetched = 0;
                    const real = window.fetch;
                    window.fetch = (address, ...more) => {{ if (String(address).includes('/audio')) window.fetched += 1; return real(address, ...more); }};
                    download(detail);""")
                self.page.until("return document.querySelector('toast-host').textContent.includes(arguments[0])", words)
                kept = eventually(lambda: {each.name: each.read_bytes() for each in here() if each.name in stored} == stored)
                self.assertTrue(kept, (here(), list(stored)))
                self.assertEqual(self.page.run("return window.fetched"), fetched)
                self.assertTrue(eventually(marked))


if __name__ == "__main__":
    unittest.main(verbosity=2)
