"""The smart dial: UI-P4. And a library of size: long lists without long tasks."""
import json
import os
import time
import unittest

from support import Page, WebCase, World, chromium, eventually, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")


@WEB
class Dial(WebCase):
    HOLDS = "return import('/player/core/store.js').then((s) => s.get('player').station?.id === arguments[0] && s.get('player').phase === 'live')"

    def air(self, station, title):
        """Tunes a station and lets it play a title, until the service knows of it."""
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.tune(await api.get('stations/{station}'), null);")
        self.page.until(self.HOLDS, station)
        self.icecast.title(station, title)
        wanted = title.split(" - ")[1]
        self.assertTrue(eventually(lambda: (self.service.get(f"/api/v1/stations/{station}/now").get("now") or {}).get("title") == wanted))
        self.page.until("return import('/player/core/store.js').then((s) => s.get('heard')?.title === arguments[0])", wanted, within=15)

    def sheet(self):
        self.page.module("s.set('sheet', {name: 'dial'});")
        self.page.until("return document.querySelector('dialog[data-sheet=dial] form') && !document.querySelector('dialog[data-sheet=dial] .loading')")

    def menu(self, text):
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('live-player [aria-label=More]')")
        self.page.run("document.querySelector('live-player [aria-label=More]').click()")
        self.page.until("return [...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === arguments[0])", text)
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === arguments[0]).click()", text)

    def said(self, text):
        return self.page.until("const said = document.querySelector('toast-host').textContent; return said.includes(arguments[0]) && said", text)

    def tearDown(self):
        for dial in self.service.get("/api/v1/dials")["dials"]:
            self.service.call("DELETE", f"/api/v1/dials/{dial['id']}")
        super().tearDown()

    def test_UI_P4_a_dial_from_every_seed(self):
        self.service.call("PUT", "/api/v1/stations/kestrel/favourite", {"value": True})
        self.page.open("/radio", pair=None)
        self.air("nightwave", "Ella Marlowe - Blue Lantern")
        chip = "[...document.querySelectorAll('dialog[data-sheet=dial] .chip')].find((each) => each.textContent === arguments[0])"
        seeds = {"Like Ella Marlowe": {"artist": "Ella Marlowe"}, "Like “Blue Lantern”": {"artist": "Ella Marlowe", "title": "Blue Lantern"}, "All jazz": {"genre": "Jazz"}, "My favourites": {"stations": ["kestrel"]}}
        for text, seed in seeds.items():
            # A dial that was just made tunes anew: what is heard is known again after a moment.
            self.page.until("return import('/player/core/store.js').then((s) => s.get('heard')?.title === 'Blue Lantern')", within=15)
            self.sheet()
            self.page.until("return " + chip, text)
            self.page.run(chip + ".click()", text)
            self.page.until("return !document.querySelector('dialog[data-sheet=dial]')")
            made = next(each for each in self.service.get("/api/v1/dials")["dials"] if each["name"] == text)
            self.assertEqual({key: made.get(key, made.get("seed", {}).get(key)) for key in seed}, seed)
        self.page.until(self.HOLDS, "kestrel")
        self.sheet()
        self.page.run("const form = document.querySelector('dialog[data-sheet=dial] form'); form.elements.words.value = 'Pop'; form.querySelector('select').value = 'genre'; form.requestSubmit()")
        self.page.until(self.HOLDS, "harbour")
        self.assertIn("Harbour Radio", self.said("Pop:"))

    def test_what_is_removed_can_be_taken_back(self):
        """A dial and a schedule: gone from the list at once, from the service when Undo is."""
        toast = "[...document.querySelectorAll('.toast button')].find((each) => each.textContent === 'Undo')"
        self.service.call("POST", "/api/v1/dials", {"name": "Mine", "stations": ["nightwave"]})
        self.service.call("POST", "/api/v1/schedules", {"name": "Early", "station": "kestrel", "at": "2031-01-01 07:00", "seconds": 3600})
        for what, rows, open_it, again in (
            ("dials", "[...document.querySelectorAll('dialog[data-sheet=dial] li')].filter((each) => each.textContent.includes('Mine'))", self.sheet, lambda: (self.page.module("s.set('sheet', null);"), self.sheet())),
            ("schedules", "[...document.querySelectorAll('#screen li, main li')].filter((each) => each.textContent.includes('Early') && each.querySelector('button'))", lambda: self.page.open("/recordings/schedules", pair=None), lambda: None),
        ):
            with self.subTest(what):
                kept = lambda: self.service.get(f"/api/v1/{what}")[what]
                open_it()
                self.page.until(f"return {rows}.length === 1")
                remove = f"{rows}[0].querySelector('button[aria-label^=Remove]').click()"
                self.page.run(remove)
                self.page.until(f"return {rows}.length === 0")
                self.assertEqual(len(kept()), 1)
                self.page.until(f"return {toast}")
                self.page.run(f"{toast}.click()")
                self.page.until(f"return {rows}.length === 1")
                self.page.run(remove)
                self.page.until(f"return {rows}.length === 0")
                self.page.run("document.querySelector('.toast button[aria-label=Dismiss]').click()")
                self.assertTrue(eventually(lambda: kept() == []))
                again()
                self.page.until(f"return {rows}.length === 0")

    def test_UI_P4_a_dial_that_finds_nothing_stands_in_the_list_and_can_look_further(self):
        self.page.open("/radio", pair=None)
        self.sheet()
        self.page.run("const form = document.querySelector('dialog[data-sheet=dial] form'); form.elements.words.value = 'Nobody At All'; form.requestSubmit()")
        self.page.until("return document.querySelector('dialog[data-sheet=dial] .toast')?.textContent.includes('No station fits')")
        more = "document.querySelector('dialog[data-sheet=dial] [aria-label=\"Add variety to Nobody At All\"]')"
        for variety in (1, 2, 3):
            self.page.until(f"return {more}")
            self.page.run(f"{more}.click()")
            self.assertTrue(eventually(lambda: self.service.get("/api/v1/dials")["dials"][0]["variety"] == variety))
            if self.page.run("return !document.querySelector('dialog[data-sheet=dial]')"):
                break
        # As far as it can, there is nothing more to ask for; or it has found something and plays.
        self.page.until(f"return !{more}")

    def test_UI_P4_smart_dial(self):
        self.air("nightwave", "Ella Marlowe - Blue Lantern")
        self.air("harbour", "Juniper Vale - Salt Market")
        self.service.call("PUT", "/api/v1/thumbs", {"station": "harbour", "direction": "up"})
        self.page.module("p.player.close();")
        made = self.service.call("POST", "/api/v1/dials", {"name": "Mine", "stations": ["nightwave", "harbour", "kestrel"]})
        self.sheet()
        self.page.run("document.querySelector('dialog[data-sheet=dial] .jump').click()")
        # Of three that fit, it prefers the one that airs what was thumbed up.
        self.page.until(self.HOLDS, "harbour")
        self.assertIn("Salt Market, which you liked", self.said("Mine:"))
        self.menu("Why this")
        self.assertIn("you liked", self.said("Harbour Radio plays"))
        self.menu("Add variety")
        self.said("looks further now (1 of 3)")
        self.assertEqual(self.service.get("/api/v1/dials")["dials"][0]["variety"], 1)
        # Within a track nothing moves, whatever fits better.
        self.service.call("PUT", "/api/v1/thumbs", {"station": "harbour", "direction": "down"})
        choices = lambda: [each["station"]["id"] for each in self.service.get(f"/api/v1/dials/{made['id']}/choices")["choices"]]
        self.assertNotIn("harbour", choices())
        time.sleep(4)
        self.assertEqual(self.page.state()["station"]["id"], "harbour")
        # With the next track it leaves for what fits: what is liked airs elsewhere now.
        self.service.call("PUT", "/api/v1/thumbs", {"station": "nightwave", "direction": "up"})
        self.icecast.title("harbour", "Juniper Vale - Another")
        self.page.until(self.HOLDS, "nightwave", within=20)
        self.assertIn("Blue Lantern", self.said("Mine:"))
        # Whoever tunes by hand has left the dial.
        self.page.module("s.set('full', false); p.player.tune({id: 'kestrel', name: 'Kestrel 1010'}, {name: 'By hand', stations: []});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('dial') === null)")

    def test_UI_P4_whoever_stops_or_tunes_while_the_dial_looks_has_their_way(self):
        self.page.open("/radio", pair=None)
        self.addCleanup(self.page.open, "/radio", pair=None)
        self.service.call("POST", "/api/v1/dials", {"name": "Mine", "stations": ["nightwave"]})
        play = "const {dials} = await import('/player/core/dial.js'), [dial] = await dials.all();"
        self.page.module(play + "await dials.play(dial);")
        self.page.until(self.HOLDS, "nightwave")
        # Another station always fits better, and to know that takes a moment.
        self.page.run("""
            window.looked = 0;
            const real = window.fetch, found = {choices: [{station: {id: 'harbour', name: 'Harbour Radio'}, score: 9, why: 'it fits'}]};
            window.fetch = async (address, more) => {
              if (!String(address).endsWith('/choices')) return real(address, more);
              window.looked += 1;
              await new Promise((then) => setTimeout(then, 500));
              return new Response(JSON.stringify(found));
            };""")
        track_ends = "for (const since of ['1', '2']) s.set('heard', {station: s.get('player').station.id, since, title: since, text: since});"
        by_hand = "p.player.tune({id: 'kestrel', name: 'Kestrel 1010'}, {name: 'By hand', stations: []});"
        for name, before, act, station, phase in (
            ("stopped at a track's end", track_ends, "p.player.stop();", "nightwave", "stopped"),
            ("tuned at a track's end", "p.player.toggleLive(); await new Promise((then) => { const end = s.watch('player', ({phase}) => phase === 'live' && then()); });" + track_ends, by_hand, "kestrel", "live"),
            ("tuned as a dial begins", play + "dials.play(dial);", "p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);", "nightwave", "live"),
        ):
            with self.subTest(name):
                looked = self.page.run("return window.looked")
                self.page.module(before)
                self.page.until("return window.looked > arguments[0]", looked)
                self.page.module(act)
                time.sleep(2.5)
                state = self.page.state()
                self.assertEqual((state["station"]["id"], state["phase"]), (station, phase))

    def test_UI_P4_next_walks_what_more_variety_found(self):
        favourite = "/api/v1/stations/harbour/favourite"
        self.service.call("PUT", favourite, {"value": True})
        self.addCleanup(self.service.call, "PUT", favourite, {"value": False})
        self.air("nightwave", "Ella Marlowe - Blue Lantern")
        made = self.service.call("POST", "/api/v1/dials", {"name": "Mine", "genre": "Jazz"})
        choices = lambda: [each["station"]["id"] for each in self.service.get(f"/api/v1/dials/{made['id']}/choices")["choices"]]
        self.assertEqual(choices(), ["nightwave"])
        self.page.module("const {dials} = await import('/player/core/dial.js'); await dials.play((await dials.all())[0]);")
        self.page.until(self.HOLDS, "nightwave")
        self.page.module("const {dials} = await import('/player/core/dial.js'); for (let more = 0; more < 3; more += 1) await dials.addVariety();")
        self.assertGreater(len(choices()), 1)
        self.page.module("p.player.next();")
        self.page.until(self.HOLDS, choices()[1])
        self.assertEqual(self.page.state()["listName"], "Mine")


@WEB
class Size(unittest.TestCase):
    STATIONS, RECORDINGS = 50_000, 5_000

    def setUp(self):
        self.pages = set()

    def tasks(self, browser, since):
        """Processor time in milliseconds of the page's tasks that began after a moment of the machine's clock, rising."""
        begun, found = {}, []
        for entry in browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            event = message.get("params", {})
            if message["method"] != "Tracing.dataCollected":
                continue
            thread = (event.get("pid"), event.get("tid"))
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain":
                self.pages.add(thread)
            elif event["ts"] < since * 1e6:
                continue
            elif event["name"] == "RunTask" and event["ph"] == "X":
                found.append((thread, event.get("tdur", 0) / 1000))
            elif event["name"] == "RunTask" and event["ph"] == "B":
                begun[thread] = event.get("tts")
            elif event["name"] == "RunTask" and event["ph"] == "E" and begun.get(thread):
                found.append((thread, (event["tts"] - begun.pop(thread)) / 1000))
        return sorted(took for thread, took in found if thread in self.pages)

    def test_a_large_library_scrolls_without_long_tasks(self):
        made = lambda numbers: "\n".join(f'[[station]]\nid = "made-{index}"\nname = "Station {index}"\nurls = ["http://127.0.0.1:1/{index}"]\ngenre = "Jazz"\ncountry = "DE"\nlocal = true\n' for index in numbers)
        world = World(files={f"many-{at}.toml": made(range(at, at + 5000)) for at in range(0, self.STATIONS, 5000)})
        self.addCleanup(world.close)
        total = world.service.get("/api/v1/status")["catalogue"]["stations"]
        self.assertGreaterEqual(total, self.STATIONS)
        # Recordings by the thousand cannot be made in a test's time: the page gets rows of the same form.
        rows = "Array.from({length: 5000}, (_, index) => ({id: 'r' + index, state: 'finished', station: {id: 's' + index % 40, name: 'Station ' + index % 40}, show: index % 3 ? 'Show ' + index % 60 : null, started: new Date(Date.now() - index * 3600000).toISOString(), seconds: 600 + index, bytes: 1e6, titles: 3, lost_seconds: 0, path: '/x/' + index + '.mp3'}))"
        for path, selector in (("/radio", "station-row"), ("/recordings/filter/new", "recording-row")):
            # A browser gives its trace once.
            browser = chromium(traces="-*,disabled-by-default-devtools.timeline")
            self.addCleanup(browser.quit)
            browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"window.tasks = []; new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((each) => each.duration))).observe({{type: 'longtask', buffered: true}}); const rows = {rows}; const real = window.fetch; window.fetch = (address, ...more) => {{ const url = new URL(address, location.href); if (url.pathname !== '/api/v1/recordings') return real(address, ...more); const at = Number(url.searchParams.get('offset') ?? 0); return Promise.resolve(new Response(JSON.stringify({{recordings: rows.slice(at, at + Number(url.searchParams.get('limit')))}}))); }};"})
            page = Page(browser, world.service).open(path, pair=None)
            page.until("return document.querySelector(arguments[0])", selector)
            time.sleep(1)
            page.run("window.tasks.length = 0")
            since = time.monotonic()
            # As fast as a thumb flings, and then all the way down.
            for step in range(40):
                page.run("scrollBy(0, arguments[0])", 1500 if step < 30 else 6000)
                time.sleep(0.1)
            page.until("return [...document.querySelectorAll(arguments[0])].some((row) => row.getBoundingClientRect().top < innerHeight && row.getBoundingClientRect().bottom > 0)", selector)
            seen = page.run("return [document.querySelectorAll(arguments[0]).length, Math.max(...[...document.querySelectorAll(arguments[0])].map((row) => Number(row.getAttribute('aria-posinset')))), window.tasks.map(Math.round)]", selector)
            # Another program's turn is no work of the page's: what counts is the processor's time of each task.
            work = self.tasks(browser, since)
            print(f"\n  {path}: {seen[0]} rows in the page, down to number {seen[1]}; of {len(work)} tasks the longest took {work[-1]:.0f} ms of processor time; by the clock beyond 50 ms, load {os.getloadavg()[0]:.0f}: {seen[2]}")
            self.assertGreater(len(work), 100)
            self.assertLess(seen[0], 60, "only what is in sight is in the page")
            self.assertGreater(seen[1], 500)
            self.assertEqual([each for each in work if each > 50], [])
        # Discover counts all of them, not the first thousand.
        page.open("/discover", pair=None)
        jazz = page.until("return [...document.querySelectorAll('main .discover a')].find((each) => each.textContent.startsWith('Jazz'))?.querySelector('.tabular').textContent")
        self.assertGreaterEqual(int(jazz), self.STATIONS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
