"""Recordings: UI-C (library), UI-A (player), UI-T (the control in a cell), UI-S (what ties it together)."""
import json
import time
import unittest
import urllib.request

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WebCase, eventually, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")


def delete(service, id):
    """For a moment after its end the service says that a recording runs."""
    eventually(lambda: service.call("DELETE", f"/api/v1/recordings/{id}") is None)


class Recorded(WebCase):
    """A class that begins with three recordings: two of a show with two titles each, one of a station."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        call = cls.service.call
        cls.ids = []
        for station, show, seconds in [("kestrel", "The Morning Desk", 14), ("nightwave", "Late Set", 14), ("harbour", None, 12)]:
            body = {"station": station, "seconds": seconds}
            if show:
                body["show"] = show
            cls.ids.append(call("POST", "/api/v1/recordings", body)["id"])
        time.sleep(4)
        cls.icecast.title("kestrel", "Ines Dahl - Tides today")
        cls.icecast.title("nightwave", "Ella Marlowe - Blue Lantern")
        time.sleep(5)
        cls.icecast.title("kestrel", "The desk - Roads")
        cls.icecast.title("nightwave", "Ada Fenn - Copper Rain")
        for id in cls.ids:
            if not eventually(lambda: cls.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=40):
                raise RuntimeError("a recording did not end: " + json.dumps(cls.service.get(f"/api/v1/recordings/{id}"))[:500])
        cls.talk, cls.music, cls.plain = cls.ids
        cls.page.open("/recordings", pair=None)

    def row(self, id):
        return f"return [...document.querySelectorAll('recording-row')].find((row) => row.recording.id === '{id}')"

    def show_recordings(self):
        self.page.open("/recordings", pair=None)
        self.page.until("return document.querySelectorAll('recording-row').length >= 3")

    def listen(self, id, at=0):
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); const {{recordings}} = await api.get('recordings'); p.player.listen(recordings.find((each) => each.id === '{id}'), {at});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').kind === 'recorded' && s.get('player').phase === 'playing')")

    def full(self):
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('full-player').hasAttribute('open') && document.querySelector('recording-player .title')")
        self.page.still()

    def position(self):
        return self.page.module("return p.position();")


@WEB
class Library(Recorded):
    def test_UI_C1_show_grid(self):
        self.show_recordings()
        tiles = self.page.run("return [...document.querySelectorAll('.show-tile')].map((tile) => [tile.querySelector('strong').textContent, tile.querySelector('.badge')?.textContent ?? '', tile.querySelector('.tile').offsetWidth - tile.querySelector('.tile').offsetHeight])")
        self.assertEqual({name: badge for name, badge, _ in tiles}, {"The Morning Desk": "1", "Late Set": "1", "Harbour Radio": "1"})
        self.assertEqual({square for _, _, square in tiles}, {0})
        self.page.run("document.querySelector('.show-tile').click()")
        self.page.until("return document.querySelector('main .masthead')")

    def counts(self):
        return dict(self.page.run("return [...document.querySelectorAll('.filter-card:not(.new)')].map((card) => [card.querySelector('strong').textContent, card.querySelector('span').textContent])"))

    def test_UI_C1_the_library_follows_what_is_marked_and_recorded(self):
        mark = lambda **what: self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", what)
        mark(starred=False, finished=False, archived=False, position=0)
        self.show_recordings()
        badge = "return [...document.querySelectorAll('.show-tile')].find((tile) => tile.textContent.includes('Late Set'))?.querySelector('.badge')?.textContent ?? ''"
        self.assertEqual(self.page.run(badge), "1")
        new = int(self.counts()["New"])
        # By key, where the focus is; the grid is another's business and stays as it is.
        self.page.run("window.tile = [...document.querySelectorAll('.show-tile')].find((tile) => tile.textContent.includes('Morning'));" + self.row(self.music)[7:] + ".querySelector('.name').focus()")
        place = self.page.run("return scrollY")
        self.page.key("m")
        self.page.until(badge + " === ''")
        self.page.key("s")
        self.assertTrue(eventually(lambda: (self.counts()["New"], self.counts()["Starred"]) == (str(new - 1), "1")), self.counts())
        self.assertEqual(self.page.run("return [window.tile.isConnected, scrollY, document.activeElement.className]"), [True, place, "name one-line"])
        # By another device, and a show that is new.
        mark(starred=False, finished=False, position=5)
        self.page.until("return [...document.querySelectorAll('.continue')].some((each) => each.checkVisibility() && each.textContent.includes('Late Set'))")
        self.assertTrue(eventually(lambda: self.counts()["In progress"] == "1" and self.counts()["Starred"] == "0"), self.counts())
        mark(position=0)
        self.page.until("return ![...document.querySelectorAll('.continue')].some((each) => each.checkVisibility())")
        made = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 4, "show": "First Night"})["id"]
        self.page.until("return [...document.querySelectorAll('.show-tile')].some((tile) => tile.textContent.includes('First Night'))")
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{made}")["state"] == "finished", within=30))
        delete(self.service, made)
        self.page.until("return ![...document.querySelectorAll('.show-tile')].some((tile) => tile.textContent.includes('First Night'))")

    def focused(self):
        return self.page.run("const each = document.activeElement, row = each.closest('recording-row, .queue-row'); return [row?.recording?.id ?? row?.dataset.key ?? '', each.className || each.getAttribute('aria-label') || each.tagName]")

    def test_Always_the_focus_goes_to_the_neighbour_of_what_is_gone(self):
        self.show_recordings()
        ids = [each["id"] for each in self.service.get("/api/v1/recordings")["recordings"]]
        self.page.run(self.row(ids[0])[7:] + ".querySelector('.name').focus()")
        for key, undone in [("a", lambda: not self.service.get(f"/api/v1/recordings/{ids[0]}")["listening"].get("archived")), (Keys.DELETE, lambda: True)]:
            self.page.key(key)
            self.page.until("return !(() => { " + self.row(ids[0]) + " })()")
            self.assertEqual(self.focused(), [ids[1], "name one-line"])
            self.page.click("toast-host .text-button")
            self.page.until(self.row(ids[0]))
            self.assertTrue(eventually(undone))
            self.page.run(self.row(ids[0])[7:] + ".querySelector('.name').focus()")
        # Up Next: the one below, then the one above, then what stands above all.
        self.service.call("PUT", "/api/v1/queue", {"recordings": self.ids})
        self.page.open("/queue", pair=None)
        self.page.until("return document.querySelectorAll('.queue-row').length === 3")
        self.page.run("document.querySelectorAll('.queue-row')[1].lastElementChild.focus()")
        for left, there in [(2, self.ids[2]), (1, self.ids[0])]:
            self.page.key(Keys.ENTER)
            self.page.until("return document.querySelectorAll('.queue-row').length === arguments[0]", left)
            self.assertEqual(self.focused(), [there, "round"])
        self.page.key(Keys.ENTER)
        self.page.until("return document.querySelector('main .state')")
        self.assertEqual(self.page.run("return document.activeElement.textContent"), "Up Next")

    def test_Always_the_focus_is_never_behind_the_tabs(self):
        sized = lambda width, height: self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.addCleanup(sized, self.width, self.height)
        sized(360, 560)
        self.show_recordings()
        behind = []
        for is_playing in (False, True):
            if is_playing:
                self.addCleanup(self.service.call, "PUT", f"/api/v1/recordings/{self.plain}/listening", {"position": 0, "finished": False})
                self.listen(self.plain)
                self.page.module("p.player.pause();")
            self.page.run("scrollTo(0, 0); document.querySelector('main h1').focus()")
            for _ in range(40):
                self.page.key(Keys.TAB)
                found = self.page.run("const each = document.activeElement, dock = document.querySelector('.dock'); return each.closest('main') && each.getBoundingClientRect().bottom > dock.getBoundingClientRect().top ? each.outerHTML.slice(0, 90) : ''")
                if found:
                    behind.append(found)
        self.assertEqual(behind, [])

    def test_UI_C2_recording_row(self):
        self.show_recordings()
        row = self.page.run(self.row(self.music))
        found = self.page.run("const row = arguments[0]; const thumb = row.querySelector('.tile'), cell = row.querySelector('play-cell').getBoundingClientRect(), name = row.querySelector('.name').getBoundingClientRect(), end = row.querySelector('.row-end'); return {eyebrow: row.querySelector('.eyebrow').textContent, thumb: thumb.offsetWidth, radius: getComputedStyle(thumb).borderRadius, title: row.querySelector('.name').textContent, lines: getComputedStyle(row.querySelector('.name')).whiteSpace, meta: row.querySelector('.meta').textContent, below: cell.top >= name.bottom, left: Math.abs(cell.left - name.left), end: [end.offsetWidth, end.offsetHeight]}", row)
        self.assertRegex(found["eyebrow"], r"^[A-Z]{3} · ")
        self.assertEqual((found["thumb"], found["radius"], found["title"], found["lines"]), (52, "6px", "Late Set", "nowrap"))
        self.assertRegex(found["meta"], r"\d+ s · Night Wave · \d titles")
        self.assertTrue(found["below"])
        self.assertLess(found["left"], 2)
        self.assertEqual(found["end"], [44, 44])
        # While it records, the circle is a moving ring and the control is disabled.
        id = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 30})["id"]
        self.page.until(self.row(id) + "?.querySelector('.row-end .ring.spin') && true")
        self.assertTrue(self.page.run(self.row(id) + ".querySelector('play-cell button').disabled"))
        self.page.run(self.row(id) + ".querySelector('.row-end').click()")
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished"))
        self.assertTrue(eventually(lambda: self.service.call("DELETE", f"/api/v1/recordings/{id}") is None))

    def test_UI_C2_a_ring_while_it_is_downloaded(self):
        import pathlib
        here = self.page.downloads(self)
        self.page.browser.execute_cdp_cmd("Network.enable", {})
        slow = lambda rate: self.page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": rate, "uploadThroughput": -1})
        self.show_recordings()
        end = self.row(self.music) + "?.querySelector('.row-end')"
        begin = lambda: self.page.run(self.row(self.music) + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'd', bubbles: true, cancelable: true}))")
        part = end + "?.querySelector('.ring:not(.spin) .done')?.style.strokeDasharray"
        marked = lambda: (next(each for each in self.service.get("/api/v1/recordings")["recordings"] if each["id"] == self.music).get("listening") or {}).get("downloaded")
        slow(40_000)
        self.addCleanup(slow, -1)
        begin()
        parts = [float(self.page.until(part + " ?? null").split(",")[0])]
        while len(parts) < 4:
            parts.append(float(self.page.until(f"const now = (() => {{ {part} ?? null }})(); return now && parseFloat(now) > arguments[0] && now", parts[-1] + 3, within=15).split(",")[0]))
        self.assertTrue(0 <= parts[0] < parts[-1] < 100, parts)
        self.assertEqual(self.page.run(end + ".getAttribute('aria-label')"), "Stop downloading Late Set")
        # Called off, nothing is left, and nothing is said to be here.
        self.page.run(end + ".click()")
        self.page.until(end + ".getAttribute('aria-label') === 'Play next'")
        self.assertFalse(marked())
        self.assertEqual(here(), [])
        slow(-1)
        begin()
        self.page.until(self.row(self.music) + ".querySelector('.meta').textContent.includes('Downloaded')")
        whole = self.service.get(f"/api/v1/recordings/{self.music}")["path"]
        kept = eventually(here)
        self.assertEqual([each.name for each in kept], [whole.split("/")[-1]])
        self.assertEqual(kept[0].read_bytes(), pathlib.Path(whole).read_bytes())
        self.assertTrue(marked())
        self.page.until(end + ".getAttribute('aria-label') === 'Play next'")
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"downloaded": False})

    def test_UI_C2_what_is_larger_than_a_gib_is_left_to_the_browser(self):
        """Its size is said to be that; what is sent is what there is. A GiB itself still goes through the page, with its ring."""
        import pathlib
        whole = pathlib.Path(self.service.get(f"/api/v1/recordings/{self.plain}")["path"])
        marked = lambda: (self.service.get(f"/api/v1/recordings/{self.plain}").get("listening") or {}).get("downloaded")
        for size, words, fetched in ((2**30, "is on this device", 1), (2**30 + 1, "The browser downloads it", 0)):
            with self.subTest(size):
                self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", {"downloaded": False})
                here = self.page.downloads(self)
                self.page.open("/recordings", pair=None)
                self.page.module(f"""
                    const {{api}} = await import('/player/core/api.js'), {{download}} = await import('/player/core/downloads.js');
                    window.fetched = 0;
                    const real = window.fetch;
                    window.fetch = (address, ...more) => {{ if (String(address).includes('/audio')) window.fetched += 1; return real(address, ...more); }};
                    download({{ ...await api.get('recordings/{self.plain}'), bytes: {size} }});""")
                self.page.until("return document.querySelector('toast-host').textContent.includes(arguments[0])", words)
                self.assertTrue(eventually(lambda: [(each.name, each.read_bytes()) for each in here()] == [(whole.name, whole.read_bytes())]), here())
                self.assertEqual(self.page.run("return window.fetched"), fetched)
                self.assertTrue(eventually(marked))
        self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", {"downloaded": False})

    def test_UI_C3_row_actions(self):
        self.show_recordings()
        row = self.page.run(self.row(self.plain))
        press = lambda key: self.page.run("arguments[0].focus(); arguments[0].dispatchEvent(new KeyboardEvent('keydown', {key: arguments[1], bubbles: true, cancelable: true}))", row, key)
        marks = lambda: self.service.get("/api/v1/recordings")["recordings"]
        mine = lambda: next(each for each in marks() if each["id"] == self.plain).get("listening") or {}
        press("s")
        self.assertTrue(eventually(lambda: mine().get("starred")))
        press("m")
        self.assertTrue(eventually(lambda: mine().get("finished")))
        press("n")
        self.assertTrue(eventually(lambda: self.plain in self.service.get("/api/v1/queue")["recordings"]))
        press("a")
        self.assertTrue(eventually(lambda: mine().get("archived")))
        self.page.until(self.row(self.plain) + " === undefined")
        self.page.click("toast-host .text-button")
        self.assertTrue(eventually(lambda: not mine().get("archived")))
        # By the menu: the same, and delete with a way back.
        self.page.until("return !!" + self.row(self.plain)[7:])
        self.page.run(self.row(self.plain) + ".querySelector('[aria-label^=\"More\"]').click()")
        self.page.until("return document.querySelector('dialog .menu')")
        self.assertEqual({"Play next", "Play last", "Remove the star", "Mark unplayed", "Archive", "Download", "Share", "Delete"}, set(self.page.run("return [...document.querySelectorAll('dialog .menu button')].map((each) => each.textContent)")))
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Delete').click()")
        self.page.until(self.row(self.plain) + " === undefined")
        self.page.click("toast-host .text-button")
        self.page.until("return !!" + self.row(self.plain)[7:])
        time.sleep(0.5)
        self.assertIn(self.plain, [each["id"] for each in marks()])
        # By a swipe to the left, past half of the width.
        row = self.page.run(self.row(self.plain))
        self.page.run("arguments[0].scrollIntoView({block: 'center'})", row)
        box = self.page.run("const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.width, box.height]", row)
        x, y = box[0] + box[2] * 0.8, box[1] + 20
        touch = lambda kind, at: self.page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else [{"x": at, "y": y}]})
        touch("touchStart", x)
        for step in range(1, 12):
            touch("touchMove", x - step * 25)
        touch("touchEnd", 0)
        self.assertTrue(eventually(lambda: mine().get("archived")), "the swipe did not archive")
        self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", {"archived": False, "starred": False, "finished": False, "position": 0})
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})

    def test_UI_C3_the_list_of_keys_has_those_of_a_row(self):
        self.show_recordings()
        ActionChains(self.page.browser).send_keys("?").perform()
        shown = self.page.until("const found = [...document.querySelectorAll('dialog kbd')].map((each) => each.textContent); return found.length && found")
        keys = self.page.wait("import('/player/parts/recording-row.js').then(({actionsOf}) => done(actionsOf(document.querySelector('recording-row').recording).map((each) => each.key).filter(Boolean)))")
        self.assertEqual(len(keys), 7)
        self.assertEqual([key for key in [*keys, "Alt ↑ ↓"] if key not in shown], [])

    def test_UI_C4_up_next(self):
        self.service.call("PUT", "/api/v1/queue", {"recordings": self.ids})
        self.page.open("/queue", pair=None)
        self.page.until("return document.querySelectorAll('.queue-row').length === 3")
        self.page.run("document.querySelectorAll('.queue-row .handle')[2].focus()")
        ActionChains(self.page.browser).key_down(Keys.ALT).send_keys(Keys.ARROW_UP).key_up(Keys.ALT).perform()
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == [self.ids[0], self.ids[2], self.ids[1]]))
        # Dragged: the first below the second.
        self.page.until("return document.querySelectorAll('.queue-row .handle').length === 3")
        handles = self.page.run("return [...document.querySelectorAll('.queue-row .handle')].map((each) => { const box = each.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2, box.height] })")
        mouse = lambda kind, x, y: self.page.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        mouse("mousePressed", *handles[0][:2])
        for step in range(1, 9):
            mouse("mouseMoved", handles[0][0], handles[0][1] + step * 10)
            if step in (2, 5):
                # What the service tells meanwhile takes no row out of the hand: once the same again, once another queue.
                self.service.call("PUT", "/api/v1/queue", {"recordings": [self.ids[0], self.ids[2], self.ids[1]] if step == 2 else [self.ids[0], self.ids[2]]})
                time.sleep(0.4)
                self.assertEqual(self.page.run("return document.querySelectorAll('.queue-row.dragged').length"), 1)
        mouse("mouseReleased", handles[0][0], handles[0][1] + 80)
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == [self.ids[2], self.ids[0]]), self.service.get("/api/v1/queue"))
        self.page.until("return document.querySelectorAll('.queue-row').length === 2")
        # The queue plays on by itself.
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk, self.music]})
        self.listen(self.plain, 11)
        self.page.until(f"return import('/player/core/store.js').then((s) => s.get('player').recording.id !== '{self.plain}' && s.get('player').phase === 'playing')", within=15)
        self.page.module("s.set('sheet', {name: 'queue'});")
        self.page.until("return document.querySelector('dialog[data-sheet=queue] .queue')")
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})

    def test_UI_C4_a_late_answer_does_not_take_back_what_was_told_since(self):
        self.addCleanup(self.service.call, "PUT", "/api/v1/queue", {"recordings": []})
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.music]})
        self.show_recordings()
        shown = "return import('/player/core/store.js').then((s) => s.get('queue')?.join() === arguments[0])"
        self.page.until(shown, self.music)
        self.page.run("window.answers = 0; const real = window.fetch; window.fetch = async (address, more) => { const answer = await real(address, more); if (more?.method === 'PUT') { await new Promise((then) => setTimeout(then, 1000)); window.answers += 1; } return answer; };")
        self.page.module("const {queue} = await import('/player/core/queue.js'); queue.last({id: arguments0});".replace("arguments0", repr(self.plain)))
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == [self.music, self.plain]))
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk]})
        self.page.until(shown, self.talk)
        self.page.until("return window.answers")
        time.sleep(0.3)
        self.assertTrue(self.page.run(shown, self.talk), "the older answer holds")

    def test_UI_C4_recordings_of_one_show_are_told_apart(self):
        day = "const day = (iso) => { const date = new Date(iso); return `${date.toLocaleDateString(undefined, {weekday: 'short'})} · ${date.toLocaleDateString(undefined, {month: 'short', day: 'numeric'})}`.toUpperCase(); };"
        started = self.service.get(f"/api/v1/recordings/{self.talk}")["started"]
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk]})
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 5})
        self.page.open("/queue", pair=None)
        self.page.until(day + "return document.querySelector('.queue-row small')?.textContent.startsWith(day(arguments[0]))", started)
        self.listen(self.talk, 5)
        self.page.module("p.player.pause();")
        self.page.until(day + "return document.querySelector('mini-player .stack span')?.textContent.startsWith(day(arguments[0]))", started)
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})
        self.show_recordings()
        self.page.until(day + "return document.querySelector('.continue .stack span')?.textContent.startsWith(day(arguments[0]))", started)
        self.page.module("p.player.close();")
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 0, "finished": False})

    def test_UI_C5_filters(self):
        for id in self.ids:
            self.service.call("PUT", f"/api/v1/recordings/{id}/listening", {"starred": False, "finished": False, "archived": False, "position": 0})
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"starred": True})
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 5})
        self.show_recordings()
        counts = lambda: dict(self.page.run("return [...document.querySelectorAll('.filter-card:not(.new)')].map((card) => [card.querySelector('strong').textContent, card.querySelector('span').textContent])"))
        playable = sum(1 for each in self.service.get("/api/v1/recordings")["recordings"] if each["state"] == "finished")
        self.assertEqual(counts(), {"New": str(playable - 1), "In progress": "1", "Starred": "1"})
        self.page.click(".filter-card.new")
        self.page.until("return document.querySelector('dialog[data-sheet=filter] form')")
        self.assertEqual(self.page.run("return document.querySelectorAll('dialog [name=colour]').length"), 12)
        self.page.run("const form = document.querySelector('dialog form'); form.elements.name.value = 'Talk I kept'; form.elements.type.value = 'talk'; form.elements.colour.value = '4'; form.elements.icon.value = 'moon'; form.requestSubmit()")
        self.page.until("return document.querySelector('main h1')?.textContent.includes('Talk I kept') && document.querySelectorAll('main recording-row').length === 1")
        stored = self.service.get("/api/v1/filters")["filters"][0]
        self.assertEqual((stored["name"], stored["colour"], stored["icon"], stored["rules"]), ("Talk I kept", 4, "moon", {"type": "talk"}))
        self.service.call("DELETE", f"/api/v1/filters/{stored['id']}")
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"starred": False})
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 0})

    def test_UI_C5_a_filter_that_was_changed_is_shown_as_it_is_now(self):
        self.service.call("PUT", "/api/v1/filters/long", {"name": "Long talk", "colour": 2, "icon": "moon", "rules": {"type": "talk", "longer": 60}})
        self.addCleanup(lambda: self.service.call("DELETE", "/api/v1/filters/long"))
        self.page.open("/recordings/filter/long", pair=None)
        self.page.until("return document.querySelector('main .state')?.textContent.includes('Nothing fits')")
        change = lambda script: (self.page.click("main .buttons button"), self.page.until("return document.querySelector('dialog[data-sheet=filter] form')"), self.page.run("const form = document.querySelector('dialog form');" + script + "form.requestSubmit()"), self.page.until("return !document.querySelector('dialog')"))
        change("form.elements.name.value = 'Long talk 2'; form.elements.station.value = 'kestrel'; form.elements.longer.value = '';")
        self.page.until("return document.querySelector('main h1').textContent === 'Long talk 2' && document.title.startsWith('Long talk 2') && document.querySelectorAll('main recording-row').length === 1")
        self.assertEqual(self.page.run("return document.activeElement.textContent"), "Change filter")
        # What is changed next is what it is now.
        change("form.elements.colour.value = '5';")
        stored = lambda: next(each for each in self.service.get("/api/v1/filters")["filters"] if each["id"] == "long")
        self.assertTrue(eventually(lambda: stored()["colour"] == 5))
        self.assertEqual((stored()["name"], stored()["rules"]), ("Long talk 2", {"type": "talk", "station": "kestrel"}))
        # Its card in the library follows too.
        self.show_recordings()
        self.service.call("PUT", "/api/v1/filters/long", {"name": "Music", "colour": 2, "icon": "moon", "rules": {"type": "music", "station": "nightwave"}})
        self.assertTrue(eventually(lambda: self.counts().get("Music") == "1"), self.counts())

    def test_UI_C7_tint_keeps_away_from_coral(self):
        found = self.page.wait("import('/player/core/artwork.js').then((a) => done([[242, 58, 47], [40, 120, 220], [8, 6, 9], [230, 230, 40]].map((colour) => { const tint = a.tintOf(colour); return tint && {hue: a.toHSL(...tint)[0], contrast: a.contrast(tint, [18, 10, 14])}; }).concat([a.toHSL(242, 58, 47)[0]])))")
        coral = found.pop()
        for tint in filter(None, found):
            self.assertGreaterEqual(min(abs(tint["hue"] - coral), 360 - abs(tint["hue"] - coral)), 19)
            self.assertGreaterEqual(tint["contrast"], 3)
        self.listen(self.plain)
        self.full()
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('recording-player .big-play')).backgroundColor"), "rgb(184, 160, 168)")
        # One show's colour becomes another's without a cut.
        tint = "const part = document.querySelector('full-player'), tint = (colour) => part.style.setProperty('--tint', colour);"
        self.addCleanup(self.page.run, "document.querySelector('full-player').style.removeProperty('--tint')")
        self.page.run(tint + "tint('rgb(0, 0, 255)')")
        shown = "return getComputedStyle(document.querySelector('recording-player')).getPropertyValue('--tint')"
        self.page.until(shown + " === 'rgb(0, 0, 255)'")
        found = self.page.crossing("full-player", "--tint", tint + "tint('rgb(0, 255, 0)');")
        self.assertTrue(found, "the colours are cut")
        self.assertEqual((found["before"], found["after"]), ("rgb(0, 0, 255)", "rgb(0, 255, 0)"))
        self.assertNotIn(found["half"], (found["before"], found["after"]))
        self.assertEqual(self.page.run(shown), "rgb(0, 255, 0)")

    def test_UI_C8_stats(self):
        self.service.call("POST", "/api/v1/stats/heard", {"live": 3600, "station": "nightwave", "artist": "Ella Marlowe"})
        self.service.call("POST", "/api/v1/stats/heard", {"recorded": 600, "trim": 90, "speed": 120})
        self.page.open("/recordings/stats", pair=None)
        self.page.until("return document.querySelectorAll('.stat-cards li').length === 5")
        text = self.page.run("return document.querySelector('main').innerText")
        # The bar of a row lies above the page's ground and under the words.
        self.assertEqual(self.page.run("const row = document.querySelector('.bars li'); return [getComputedStyle(row).isolation, getComputedStyle(row.querySelector('i')).zIndex, Math.round(row.querySelector('i').getBoundingClientRect().width / row.getBoundingClientRect().width)]"), ["isolate", "-1", 1])
        self.assertRegex(text, r"You listened for 1 h.* since .*, and saved \d+ min")
        for words in ("1 h", "of live radio heard", "10 min", "1 min\nsaved by trimming silence", "2 min\nsaved by speed", "Night Wave", "Ella Marlowe"):
            self.assertIn(words, text)

    def test_UI_C8_hours_are_of_what_was_heard(self):
        """Two stations for some seconds each, then a recording: each gets its own, and a recording's station too."""
        stations = lambda: {each["id"]: each["seconds"] for each in self.service.get("/api/v1/stats")["stations"]}
        before, total = stations(), self.service.get("/api/v1/stats")["recorded_seconds"]
        for id, seconds in (("harbour", 6), ("kestrel", 3)):
            self.page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.tune(await api.get('stations/{id}'), null);")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live' && s.get('player').station.id === arguments[0])", id)
            time.sleep(seconds)
        self.listen(self.music, 1)
        time.sleep(4)
        self.page.module("p.player.close(); dispatchEvent(new Event('pagehide'));")
        gone = lambda id: stations().get(id, 0) - before.get(id, 0)
        self.assertTrue(eventually(lambda: gone("nightwave") > 2))
        print(f"\n  heard: harbour {gone('harbour'):.1f} s, kestrel {gone('kestrel'):.1f} s, a recording of nightwave {gone('nightwave'):.1f} s")
        self.assertTrue(5 < gone("harbour") < 9 and 2 < gone("kestrel") < 6 and 3 < gone("nightwave") < 7)
        self.assertAlmostEqual(self.service.get("/api/v1/stats")["recorded_seconds"] - total, gone("nightwave"), delta=0.5)

    def test_UI_C9_discover(self):
        self.page.open("/discover", pair=None)
        self.page.until("return [...document.querySelectorAll('main h2')].some((each) => each.textContent === 'Countries')")
        lists = self.page.run("return Object.fromEntries([...document.querySelectorAll('main .section')].map((each) => [each.querySelector('h2').textContent, [...each.querySelectorAll('.discover a')].map((link) => link.textContent)]))")
        counts = self.service.get("/api/v1/stations/counts")
        self.assertEqual([text[-1] for text in lists["Countries"]], [str(each["stations"])[-1] for each in counts["country"]])
        self.assertEqual({text.rstrip("0123456789") for text in lists["Categories"]}, {each["value"] for each in counts["genre"]})
        self.page.run("[...document.querySelectorAll('.discover a')].find((each) => each.textContent.startsWith('Jazz')).click()")
        self.page.until("return [...document.querySelectorAll('main station-row .name')].map((each) => each.textContent).join() === 'Night Wave'")

    def test_UI_C10_subscribe(self):
        self.page.open("/recordings/show/show%3ALate%20Set", pair=None)
        self.page.until("return document.querySelector('main .masthead')")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Subscribe').click()")
        self.page.until("return document.querySelector('.schedule-form')")
        # A series as it stands: weekly, on the day and at the time of the newest recording.
        found = self.page.run("const form = document.querySelector('.schedule-form'); return [form.elements.repeats.value, form.querySelectorAll('.chip[aria-pressed=true]').length, form.elements.time.value, new Date(arguments[0]).toTimeString().slice(0, 5)]", self.service.get(f"/api/v1/recordings/{self.music}")["started"])
        self.assertEqual(found[:2], ["weekly", 1])
        self.assertEqual(found[2], found[3])
        self.page.run("document.querySelector('.schedule-form .chip[aria-pressed=true]').click()")
        self.page.run("const form = document.querySelector('.schedule-form'); form.elements.repeats.value = 'weekly'; form.elements.repeats.dispatchEvent(new Event('input', {bubbles: true})); form.querySelectorAll('.chip')[4].click(); form.elements.time.value = '21:00'; form.elements.end.value = '22:30'; form.dispatchEvent(new Event('input'))")
        self.assertIn("09:00 PM", self.page.until("const text = document.querySelector('.preview').textContent; return text.startsWith('Next:') && text"))
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        made = eventually(lambda: self.service.get("/api/v1/schedules")["schedules"])[0]
        self.assertEqual((made["name"], made["station"]["id"], made["rule"]), ("Late Set", "nightwave", "FREQ=WEEKLY;BYDAY=FR"))
        feed = urllib.request.urlopen(f"{self.service.address}/api/v1/feeds/show%3ALate%20Set.xml").read().decode()
        self.assertIn("<rss", feed)
        self.service.call("DELETE", f"/api/v1/schedules/{made['id']}")


@WEB
class Player(Recorded):
    def test_UI_A1_transport(self):
        self.listen(self.music, 2)
        self.full()
        self.page.module("p.player.pause();")
        at = self.position()
        self.page.click("recording-player [aria-label='Forward 30 seconds']")
        self.assertGreater(self.position(), at + 5)
        self.page.click("recording-player [aria-label='Back 30 seconds']")
        self.assertEqual(self.position(), 0)
        self.assertEqual(self.page.run("return document.querySelector('recording-player [aria-label=\"Back 30 seconds\"] text').textContent"), "30")
        times = self.page.run("return document.querySelector('scrub-bar .times').innerText.split('\\n').join(' ').trim()")
        self.assertRegex(times, r"^0:00\s*−0:1\d$")
        self.assertIn("tabular-nums", self.page.run("return getComputedStyle(document.querySelector('scrub-bar .times')).fontVariantNumeric"))
        # The media clock runs while it plays, and only then.
        self.page.module("p.player.resume();")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 1)")
        self.page.click("recording-player .big-play")
        one = self.page.module("return p.elements.recorded.currentTime;")
        time.sleep(0.6)
        self.assertEqual(self.page.module("return p.elements.recorded.currentTime;"), one)

    def test_UI_A2_speed_dial(self):
        self.listen(self.music)
        self.page.module("s.set('sheet', {name: 'speed'});")
        self.page.until("return document.querySelector('dialog[data-sheet=speed] input')")
        found = self.page.run("const dial = document.querySelector('dialog .dial input'); return {range: [dial.min, dial.max, dial.step], presets: [...document.querySelectorAll('dialog .chip')].map((each) => each.textContent), ticks: document.querySelectorAll('dialog .ticks i').length}")
        self.assertEqual(found, {"range": ["0.5", "3.5", "0.01"], "presets": ["1×", "1.25×", "1.5×", "2×"], "ticks": 13})
        self.page.run("document.querySelectorAll('dialog .chip')[3].click()")
        self.page.until("return document.querySelector('dialog .speed-value').textContent === '2×'")
        before = self.page.module("return [p.elements.recorded.currentTime, performance.now(), p.elements.recorded.preservesPitch, p.elements.recorded.playbackRate];")
        time.sleep(2)
        after = self.page.module("return [p.elements.recorded.currentTime, performance.now()];")
        self.assertEqual(before[2:], [True, 2])
        rate = (after[0] - before[0]) / ((after[1] - before[1]) / 1000)
        print(f"\n  twice as fast measured {rate:.2f}×")
        self.assertAlmostEqual(rate, 2, delta=0.2)
        # A quarter holds the thumb a little further than the twentieths between.
        for place, speed in [("1.79", 1.75), ("1.71", 1.75), ("1.8", 1.8), ("1.66", 1.65), ("3.47", 3.5), ("0.53", 0.5)]:
            self.page.run("const dial = document.querySelector('dialog .dial input'); dial.value = arguments[0]; dial.dispatchEvent(new Event('input'))", place)
            self.assertEqual(self.page.state()["speed"], speed, place)
        # The keys go by twentieths, and by quarters.
        self.page.module("p.player.setSpeed(1);")
        self.page.run("document.querySelector('dialog .dial input').focus()")
        for key, speed in [(Keys.ARROW_RIGHT, 1.05), (Keys.ARROW_UP, 1.1), (Keys.ARROW_LEFT, 1.05), (Keys.PAGE_UP, 1.3)]:
            self.page.key(key)
            self.assertEqual(self.page.state()["speed"], speed)
        self.page.module("p.player.setSpeed(1);")

    def test_UI_A3_chapters(self):
        self.listen(self.music, 0.5)
        self.page.module("p.player.pause(); s.set('sheet', {name: 'chapters', recording: s.get('player').recording});")
        self.page.until("return document.querySelectorAll('dialog .chapter-list li').length >= 2")
        rows = self.page.run("return [...document.querySelectorAll('dialog .chapter-list .name')].map((each) => each.textContent)")
        self.assertEqual(rows[-2:], ["Ella Marlowe – Blue Lantern", "Ada Fenn – Copper Rain"])
        self.page.run("[...document.querySelectorAll('dialog .chapter-list button')].at(-1).click()")
        self.page.until("return document.querySelector('dialog .chapter-list li[aria-current] .name')?.textContent === 'Ada Fenn – Copper Rain' && document.querySelectorAll('dialog .chapter-list li[over]').length >= 1")
        self.assertGreater(self.position(), 3)
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('dialog .chapter-list li[aria-current] button'), '::before').width"), "3px")
        self.page.module("s.set('sheet', null); s.set('full', true);")
        self.page.until("return document.querySelector('full-player').hasAttribute('open')")
        time.sleep(0.5)
        self.page.run("document.querySelector('recording-player [aria-label=\"Previous chapter\"]').click()")
        # Within the first seconds of a chapter it is the one before, behind them its own beginning.
        self.page.until("return document.querySelector('recording-player .chapter-now').textContent === 'Ella Marlowe – Blue Lantern'")

    def test_UI_A3_the_sheet_opens_at_the_chapter_that_plays(self):
        self.show_recordings()
        self.page.run("const real = window.fetch; window.fetch = async (address, ...more) => { const answer = await real(address, ...more); if (!String(address).endsWith(arguments[0])) return answer; const detail = await answer.json(); detail.titles = Array.from({length: 300}, (_, index) => ({text: `Part ${index + 1}`, seconds: index * detail.seconds / 300})); return new Response(JSON.stringify(detail)); };", f"recordings/{self.plain}")
        self.listen(self.plain, 8)
        self.page.module("p.player.pause(); s.set('sheet', {name: 'chapters', recording: s.get('player').recording});")
        self.page.until("const row = document.querySelector('dialog .chapter-list li[aria-current]'); if (!row) return false; const box = row.getBoundingClientRect(), sheet = row.closest('dialog').getBoundingClientRect(); return box.top > sheet.top && box.bottom < sheet.bottom && row.querySelector('.number').textContent > '100'")
        # Once: whoever looks further down is not brought back.
        self.page.run("document.querySelector('dialog').scrollTop = 0")
        time.sleep(0.6)
        self.assertEqual(self.page.run("return document.querySelector('dialog').scrollTop"), 0)

    def test_UI_A3_chapters_of_what_is_still_recorded_come_as_they_are_told(self):
        """And the last of them has no end yet at which one could fall asleep."""
        id = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 40})["id"]
        detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
        try:
            self.icecast.title("harbour", "Ada Fenn - First Part")
            self.assertTrue(eventually(lambda: detail()["seconds"] > 4 and "First Part" in json.dumps(detail()["titles"]), within=20))
            self.page.open("/recordings", pair=None)
            self.page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{id}'), 0);")
            self.full()
            chapters = "document.querySelector('recording-player scrub-bar').chapters"
            self.page.until(f"return {chapters}.length")
            self.icecast.title("harbour", "Ada Fenn - Second Part")
            self.page.until(f"return {chapters}.at(-1).title === 'Second Part'", within=15)
            self.assertTrue(eventually(lambda: detail()["seconds"] > detail()["titles"][-1]["seconds"] + 3, within=20))
            sleeps = "return import('/player/core/store.js').then((s) => s.get('chapter-end') !== null)"
            self.page.module(f"p.player.pause(); p.player.seek({chapters}.at(-2).end - 0.2);")
            self.page.until(sleeps)
            self.page.module(f"s.get('player').duration = Infinity; p.player.seek({chapters}.at(-1).start + 0.3);")
            self.page.until(sleeps.replace("!==", "==="))
        finally:
            self.page.module("p.player.close();")
            if detail()["state"] == "recording":
                self.service.call("POST", f"/api/v1/recordings/{id}/stop")
            delete(self.service, id)

    def test_UI_A3_next_and_previous_walk_chapters_and_lose_no_place(self):
        keep = lambda id, position: self.service.call("PUT", f"/api/v1/recordings/{id}/listening", {"position": position, "finished": False})
        self.addCleanup(lambda: [keep(id, 0) for id in self.ids])
        self.page.open("/recordings", pair=None)
        self.listen(self.music, 1)
        starts = self.page.module(f"const c = await import('/player/core/chapters.js'); return c.chaptersOf(await c.loadDetail('{self.music}')).map((each) => each.start);")
        self.page.module("p.player.pause(); p.player.seek(arguments[0]);".replace("arguments[0]", str(starts[-1] + 3.5)))
        press = lambda key: ActionChains(self.page.browser).send_keys(key).perform()
        is_at = lambda place: self.page.until("return import('/player/core/player.js').then((p) => Math.abs(p.position() - arguments[0]) < 0.2)", place)
        for key, place in (("p", starts[-1]), ("p", starts[-2]), ("n", starts[-1])):
            press(key)
            is_at(place)
        # Behind the last one is Up Next; what was left keeps its place.
        press("n")
        self.page.until("return document.querySelector('toast-host').textContent.includes('nothing is up next')")
        is_at(starts[-1])
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.plain]})
        self.page.until("return import('/player/core/store.js').then((s) => s.get('queue')?.length === 1)")
        self.full()
        self.page.until("const next = document.querySelector('recording-player [aria-label=\"Play what is up next\"]'); next?.click(); return next")
        self.page.until(f"return import('/player/core/store.js').then((s) => s.get('player').recording.id === '{self.plain}' && s.get('player').phase === 'playing')")
        self.assertAlmostEqual(self.service.get(f"/api/v1/recordings/{self.music}")["listening"]["position"], starts[-1], delta=0.2)
        # Without chapters back is half a minute.
        self.page.module("s.set('full', false); const real = p.player.skip; p.player.skip = (seconds) => { window.skipped = seconds; p.player.skip = real; };")
        press("p")
        self.assertEqual(self.page.until("return window.skipped"), -30)

    def test_UI_A3_the_media_keys_walk_chapters_and_seek(self):
        self.addCleanup(self.service.call, "PUT", f"/api/v1/recordings/{self.music}/listening", {"position": 0, "finished": False})
        self.page.media_keys(self)
        self.page.open("/recordings", pair=None)
        self.listen(self.music, 1)
        starts = self.page.module(f"const c = await import('/player/core/chapters.js'); return c.chaptersOf(await c.loadDetail('{self.music}')).map((each) => each.start);")
        self.page.until("return Boolean(window.handled.nexttrack && window.handled.seekto)")
        press = lambda key, details=None: self.page.run("window.handled[arguments[0]](arguments[1])", key, details)
        is_at = lambda place: self.page.until("return import('/player/core/player.js').then((p) => Math.abs(p.position() - arguments[0]) < 0.2)", place)
        press("pause")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused')")
        self.assertEqual(self.page.run("return navigator.mediaSession.playbackState"), "paused")
        # Behind the first three seconds of a chapter back is its own beginning.
        press("seekto", {"seekTime": starts[-1] + 3.5})
        is_at(starts[-1] + 3.5)
        for key, place in (("previoustrack", starts[-1]), ("previoustrack", starts[-2]), ("nexttrack", starts[-1])):
            press(key)
            is_at(place)
        press("nexttrack")
        self.page.until("return document.querySelector('toast-host').textContent.includes('nothing is up next')")
        press("seekbackward")
        is_at(0)
        press("play")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')")

    def test_UI_A4_bookmarks_and_sleep(self):
        self.listen(self.music, 6)
        self.page.module("p.player.pause(); s.set('sheet', {name: 'bookmarks', recording: s.get('player').recording});")
        self.page.until("return document.querySelector('dialog form')")
        self.page.run("const form = document.querySelector('dialog form'); form.querySelector('input').value = 'the solo <b>here</b>'; form.requestSubmit()")
        self.page.until("return document.querySelector('dialog .jump')?.textContent.includes('the solo <b>here</b>')")
        stored = self.service.get(f"/api/v1/recordings/{self.music}/bookmarks")["bookmarks"]
        self.assertAlmostEqual(stored[0]["seconds"], 6, delta=1.5)
        self.page.module("p.player.seek(0);")
        self.page.run("document.querySelector('dialog .jump').click()")
        self.page.until(f"return import('/player/core/player.js').then((p) => Math.abs(p.position() - {stored[0]['seconds']}) < 0.5)")
        self.service.call("DELETE", f"/api/v1/recordings/{self.music}/bookmarks/{stored[0]['id']}")
        # At the end of the last chapter nothing follows, whatever is up next.
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk]})
        self.page.module("s.set('sheet', null); p.player.seek(s.get('player').duration - 2); p.player.resume(); p.player.sleep({chapter: s.get('player').duration});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused' && !s.get('player').sleep)", within=8)
        time.sleep(1)
        self.assertEqual(self.page.state()["recording"]["id"], self.music)
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})
        self.page.module("p.player.seek(2);")
        # Sleep: minutes for live as well, and the end of the chapter.
        self.page.module("s.set('sheet', null); p.player.resume(); p.player.sleep({chapter: p.position() + 1.2});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused')", within=5)
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        self.page.module("p.player.sleep({minutes: 0.02});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')", within=5)

    def test_UI_A5_captions(self):
        path = self.service.get(f"/api/v1/recordings/{self.music}")["path"]
        stem = path.rsplit(".", 1)[0]
        with open(stem + ".vtt", "w") as file:
            file.write("WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nGood evening and <b>welcome</b> back\n\n00:00:04.000 --> 00:00:09.000\n<00:00:04.000>Rain <00:00:06.000>later\n")
        self.page.open("/recordings", pair=None)
        self.listen(self.music, 1)
        self.full()
        self.page.module("p.player.pause(); p.player.seek(1);")
        self.page.until("return !document.querySelector('recording-player .action-chip:nth-child(7)').hidden")
        self.page.run("[...document.querySelectorAll('recording-player .action-chip')].find((each) => each.textContent === 'Captions').click()")
        line = "return document.querySelector('recording-player .captions p')?.textContent.trim()"
        self.page.until(line + " === 'Good evening and welcome back'")
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('.captions p')).fontSize"), "18px")
        self.page.module("p.player.seek(6.5);")
        self.page.until(line + " === 'Rain later' && document.querySelector('.captions .active').textContent.trim() === 'later'")
        formats = self.page.wait("import('/player/core/captions.js').then((c) => done([c.readCaptions('1\\n00:00:01,000 --> 00:00:02,500\\nHello there\\n', 'application/x-subrip'), c.readCaptions('[00:03.50]First line\\n[00:05.00]Second', 'application/x-lrc')].map((cues) => cues.map((cue) => [cue.start, cue.end, cue.words.map((word) => word.text).join('')]))))")
        self.assertEqual(formats, [[[1, 2.5, "Hello there"]], [[3.5, 5, "First line"], [5, 13, "Second"]]])

    def test_UI_A5_captions_are_read_as_characters_and_take_no_room(self):
        path = self.service.get(f"/api/v1/recordings/{self.music}")["path"]
        with open(path.rsplit(".", 1)[0] + ".vtt", "w") as file:
            file.write("WEBVTT\n\n00:01.000 --> 00:04.000\nFish &amp; chips, <i>rock</i> &#39;n&#x27; roll &lt;b&gt; &amp;lt; &unknown;\n\n00:08.000 --> 00:12.000\n" + "Many words that fill more than one line of it, " * 3 + "\n")
        kept = "localStorage.setItem('aircheck.captions', arguments[0])"
        self.addCleanup(self.page.run, kept, "false")
        self.page.run(kept, "true")
        size = lambda width, height: self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.addCleanup(size, self.width, self.height)
        self.page.open("/recordings", pair=None)
        self.listen(self.music, 2)
        self.full()
        self.page.module("p.player.pause(); p.player.seek(2);")
        self.assertEqual(self.page.until("return document.querySelector('.captions p')?.textContent.trim()"), "Fish & chips, rock 'n' roll <b> &lt; &unknown;")
        box = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]"
        for width, height in ((320, 568), (390, 844), (844, 390), (1280, 800)):
            with self.subTest(f"{width}x{height}"):
                size(width, height)
                self.page.module("p.player.seek(6);")
                self.page.until("return !document.querySelector('.captions').getClientRects().length")
                self.page.still()
                without = self.page.run(box, "recording-player .big-play")
                self.page.module("p.player.seek(9);")
                self.page.until("return document.querySelector('.captions p')?.textContent.startsWith('Many words')")
                for edge, before in zip(self.page.run(box, "recording-player .big-play"), without):
                    self.assertAlmostEqual(edge, before, delta=1)
                self.assertLessEqual(without[3], height)
                # The words hide nothing that can be pressed or read but the cover.
                words = self.page.run(box, ".captions")
                self.assertLessEqual(words[3], height)
                self.assertLess(words[3] - words[1], self.page.run("return document.querySelector('.cover-box').offsetHeight") + 1)
                for part in ("header", ".title", "scrub-bar"):
                    other = self.page.run(box, f"recording-player {part}")
                    self.assertTrue(words[3] <= other[1] or words[1] >= other[3] or words[2] <= other[0], (part, words, other))

    def test_UI_A6_ring_and_continue_listening(self):
        self.listen(self.music, 4)
        self.full()
        self.page.module("p.player.pause();")
        share = self.page.until("const dash = document.querySelector('.cover-ring .done').style.strokeDasharray; return parseFloat(dash) > 10 && parseFloat(dash)")
        total = self.page.state()["duration"]
        self.assertAlmostEqual(share, self.position() / total * 100, delta=6)
        self.assertTrue(eventually(lambda: (next(each for each in self.service.get("/api/v1/recordings")["recordings"] if each["id"] == self.music).get("listening") or {}).get("position", 0) > 3))
        self.page.module("p.player.close();")
        self.page.open("/", pair=None)
        self.page.until("return [...document.querySelectorAll('.continue li')].some((each) => each.textContent.includes('Late Set') && /min left/.test(each.textContent))")
        text = self.page.wait("import('/player/core/format.js').then((f) => done([f.longLeft(8 * 3600 + 14 * 60), f.longLeft(300)]))")
        self.assertEqual(text, ["8 h 14 min left", "5 min left"])
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"position": 0})

    def test_UI_A7_position_is_kept(self):
        self.listen(self.plain, 5)
        self.page.module("p.player.pause();")
        kept = lambda: (next(each for each in self.service.get("/api/v1/recordings")["recordings"] if each["id"] == self.plain).get("listening") or {})
        self.assertTrue(eventually(lambda: kept().get("position", 0) >= 5))
        self.page.module("p.player.close();")
        # Another device: a fresh page knows nothing but what the service tells.
        self.page.open("/recordings", pair=None)
        self.page.until(self.row(self.plain))
        self.page.run(self.row(self.plain) + ".querySelector('play-cell button').click()")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 5)")
        # Heard to 97 in a hundred, it is finished.
        self.page.module("p.player.seek(s.get('player').duration * 0.975); p.player.pause();")
        self.assertTrue(eventually(lambda: kept().get("finished")))
        rules = self.page.module("return [p.isFinished(96.9 * 36, 3600), p.isFinished(97 * 36, 3600), p.isFinished(3571, 3600), p.isFinished(100, 3600)];")
        self.assertEqual(rules, [False, True, True, False])
        self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", {"position": 0, "finished": False})

    def watch_places(self, id):
        """From now on what the page says and tells the service of where a recording is, and whether it is finished."""
        self.page.module(f"""
            window.places = []; window.told = [];
            window.unwatch?.();
            window.unwatch = s.watch('player', (state) => {{ if (state.recording?.id === '{id}') window.places.push(state.position); }}, {{now: false}});
            window.realFetch ??= window.fetch;
            window.fetch = (address, more) => {{ if (String(address).endsWith('{id}/listening')) window.told.push(JSON.parse(more.body)); return window.realFetch(address, more); }};""")

    def test_UI_A7_whatever_played_before_a_recording_begins_at_its_own_place(self):
        """And keeps it: late words of what was closed are not taken for its own."""
        keep = lambda id, position: self.service.call("PUT", f"/api/v1/recordings/{id}/listening", {"position": position, "finished": False})
        self.addCleanup(lambda: [keep(id, 0) for id in self.ids])
        self.addCleanup(self.service.call, "PUT", "/api/v1/queue", {"recordings": []})
        late = "for (const name of ['timeupdate', 'pause', 'ended', 'seeked', 'waiting', 'error', 'durationchange']) p.elements.recorded.dispatchEvent(new Event(name));"
        press = self.row(self.music)[7:] + ".querySelector('play-cell button').click();"
        ways = {
            "while one plays": press,
            "while one is paused": "p.player.pause(); await new Promise((then) => setTimeout(then, 300)); " + press,
            "as late events come": press + late,
            "as the next of Up Next": "p.player.seek(s.get('player').duration - 0.4);",
        }
        for name, way in ways.items():
            with self.subTest(name):
                keep(self.music, 7)
                self.service.call("PUT", "/api/v1/queue", {"recordings": [self.music] if "Up Next" in name else []})
                self.show_recordings()
                self.listen(self.plain, 3)
                self.watch_places(self.music)
                self.page.module(way)
                self.page.until("return window.places.some((each) => each > 7.5)")
                self.assertGreaterEqual(min(self.page.run("return window.places")), 7)
                self.assertGreaterEqual(min([each["position"] for each in self.page.run("return window.told")] or [7]), 7)
                self.page.module("p.player.close();")
        with self.subTest("a chapter of another one"):
            self.page.open(f"/recordings/{self.music}", pair=None)
            self.listen(self.plain, 3)
            self.watch_places(self.music)
            start = self.page.until("return document.querySelectorAll('main .chapter-list button').length > 1") and self.service.get(f"/api/v1/recordings/{self.music}")["titles"][-1]["seconds"]
            self.page.run("[...document.querySelectorAll('main .chapter-list button')].at(-1).click()")
            self.page.until("return window.places.some((each) => each > arguments[0])", start + 0.5)
            self.assertGreater(min(self.page.run("return window.places")), start - 1)

    def test_UI_A7_a_place_sought_before_the_sound_is_there_holds(self):
        self.page.open("/recordings", pair=None)
        self.page.module(f"""
            const {{api}} = await import('/player/core/api.js'), element = p.elements.recorded;
            element.play = () => {{ delete element.play; p.player.seek(2); return element.play(); }};
            p.player.listen(await api.get('recordings/{self.music}'), 8);""")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 2.2)")
        self.assertLess(self.position(), 7)

    def test_UI_A7_what_is_still_recorded_plays_on_as_more_comes(self):
        """To where it really ends, and only there it is finished."""
        id = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 34})["id"]
        detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
        try:
            self.assertTrue(eventually(lambda: detail()["seconds"] > 5, within=20))
            self.page.open(f"/recordings/{id}", pair=None)
            self.watch_places(id)
            self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Play what is there').click()")
            self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 0.3)")
            short = self.page.state()["duration"]
            self.assertLess(short, 15)
            # Past the end of what was there, without a word of being finished.
            self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > arguments[0])", short + 2, within=25)
            self.assertEqual(detail()["state"], "recording")
            # From the edge too, some seconds behind, once more has come; paused and resumed there it begins nowhere else.
            self.page.module("p.player.seek(s.get('player').duration);")
            edge = self.position()
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'loading')")
            self.page.module("p.player.pause();")
            time.sleep(0.5)
            self.page.module("p.player.resume();")
            self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > arguments[0])", edge + 1, within=15)
            self.assertGreater(self.position(), edge)
            self.assertFalse(any(each["finished"] for each in self.page.run("return window.told")))
            self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=40))
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused')", within=20)
            whole = detail()["seconds"]
            self.assertAlmostEqual(self.page.state()["duration"], whole, delta=0.5)
            self.assertAlmostEqual(self.page.run("return window.places.at(-1)"), whole, delta=0.5)
            places = [each for each in self.page.run("return window.places") if each > edge]
            self.assertEqual(max(before - after for before, after in zip(places, places[1:])) > 0.5, False, places)
            self.assertTrue(eventually(lambda: detail().get("listening", {}).get("finished")))
            self.assertEqual([each["finished"] for each in self.page.run("return window.told")][-2:], [False, True])
        finally:
            self.page.module("p.player.close();")
            if detail()["state"] == "recording":
                self.service.call("POST", f"/api/v1/recordings/{id}/stop")
            self.assertTrue(eventually(lambda: self.service.call("DELETE", f"/api/v1/recordings/{id}") is None))

    def test_UI_A7_what_is_deleted_while_more_of_it_is_waited_for_closes_its_player(self):
        id = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 60, "show": "Cut Short"})["id"]
        detail = lambda: self.service.get(f"/api/v1/recordings/{id}")
        self.assertTrue(eventually(lambda: detail()["seconds"] > 5, within=20))
        self.show_recordings()
        # Nothing more comes, so that it waits for longer than a moment. Icecast drops a source that is silent for long.
        self.addCleanup(lambda: self.icecast.is_on("harbour") or self.icecast.source("harbour", 660))
        self.addCleanup(self.icecast.thaw, "harbour")
        self.icecast.freeze("harbour")
        time.sleep(0.5)
        # The page has no word of its end: nothing of it is answered until it is deleted.
        self.page.module(f"""
            const real = window.fetch;
            window.isOver = false;
            window.fetch = (address, more) => (String(address).endsWith('/recordings/{id}') && !window.isOver ? Promise.reject(new TypeError('away')) : real(address, more));
            const {{api}} = await import('/player/core/api.js');
            const {{recordings}} = await api.get('recordings');
            p.player.listen(recordings.find((each) => each.id === '{id}'), 1);
            s.set('full', true);""")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')")
        self.page.module("p.player.seek(s.get('player').duration);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'loading')")
        self.service.call("POST", f"/api/v1/recordings/{id}/stop")
        self.assertTrue(eventually(lambda: detail()["state"] == "finished", within=20))
        self.icecast.thaw("harbour")
        self.assertEqual(self.page.state()["phase"], "loading")
        delete(self.service, id)
        self.page.run("window.isOver = true")
        self.page.until("return document.querySelector('toast-host').textContent.includes('Cut Short was deleted')", within=5)
        self.page.until("return document.querySelector('mini-player').hidden && !document.querySelector('full-player').hasAttribute('open')")
        self.assertEqual(self.page.state()["kind"], "none")

    def test_UI_A7_what_was_heard_elsewhere_meanwhile_counts_not_what_the_screen_drew(self):
        self.show_recordings()
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"position": 8})
        self.page.until("return import('/player/core/store.js').then((s) => s.get('recordings').some((each) => each.listening?.position === 8))")
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); const {{recordings}} = await api.get('recordings'); p.player.listen({{...recordings.find((each) => each.id === '{self.music}'), listening: {{position: 1}}}}, null);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')")
        self.assertGreaterEqual(self.position(), 8)
        self.page.module("p.player.close();")
        self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"position": 0})

    def test_UI_A7_what_is_paused_here_goes_on_from_where_it_was_heard_elsewhere(self):
        """Also where nobody said so at that moment; what this tab said itself, and other marks, move nothing."""
        keep = lambda **what: self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", what)
        kept = lambda: self.service.get(f"/api/v1/recordings/{self.music}")["listening"]["position"]
        self.addCleanup(keep, position=0, finished=False, starred=False)
        stands = lambda at: self.page.until("return import('/player/core/player.js').then((p) => p.position() === arguments[0])", at)
        keep(position=0, finished=False)
        self.show_recordings()
        self.listen(self.music, 1)
        self.page.module("p.player.pause(); for (const at of [3, 4, 5]) p.player.seek(at);")
        self.assertTrue(eventually(lambda: kept() == 5))
        keep(starred=True)
        time.sleep(1)
        self.assertEqual(self.position(), 5)
        self.watch_places(self.music)
        keep(position=7.25)
        stands(7.25)
        # As a machine that slept.
        self.page.module("const {unfollow} = await import('/player/core/events.js'); unfollow();")
        keep(position=9)
        self.page.module("const {follow} = await import('/player/core/events.js'); follow();")
        stands(9)
        self.assertEqual(self.page.run("return window.told"), [])
        self.page.module("p.player.resume();")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 9.8)")
        self.page.module("p.player.close();")
        self.assertGreater(min(each["position"] for each in self.page.run("return window.told")), 9)

    def test_what_sounds_and_is_marked_played_is_left_for_what_is_up_next(self):
        """By key and in the player's menu; the mark holds, which the next word of where it is would take back."""
        keep = lambda **what: self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", what)
        marks = lambda: self.service.get(f"/api/v1/recordings/{self.plain}")["listening"]
        self.addCleanup(keep, position=0, finished=False)
        self.addCleanup(self.service.call, "PUT", "/api/v1/queue", {"recordings": []})
        for name, queue in (("by key", []), ("in the menu", [self.music])):
            with self.subTest(name):
                keep(position=0, finished=False)
                self.service.call("PUT", "/api/v1/queue", {"recordings": queue})
                self.show_recordings()
                self.page.until("return import('/player/core/store.js').then((s) => s.get('queue')?.join() === arguments[0])", ",".join(queue))
                self.listen(self.plain, 3)
                if queue:
                    self.full()
                    self.page.click("recording-player [aria-label=More]")
                    mark = "[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Mark played')"
                    self.page.until(f"return !!{mark}")
                    self.page.run(f"{mark}.click()")
                    self.page.until("return import('/player/core/store.js').then((s) => s.get('player').recording?.id === arguments[0] && s.get('player').phase === 'playing')", self.music)
                else:
                    self.page.run(self.row(self.plain)[7:] + ".dispatchEvent(new KeyboardEvent('keydown', {key: 'm', bubbles: true, cancelable: true}))")
                    self.page.until("return import('/player/core/store.js').then((s) => s.get('player').kind === 'none')")
                self.assertTrue(eventually(lambda: marks()["finished"]))
                time.sleep(1)
                self.page.module("p.player.close();")
                time.sleep(0.5)
                self.assertEqual((marks()["finished"], marks()["position"]), (True, 0))
                self.assertEqual(self.service.get("/api/v1/queue")["recordings"], [])

    def test_what_is_chosen_as_up_next_begins_is_heard(self):
        """The service is slow to take the next one out of the queue."""
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.music]})
        self.addCleanup(self.service.call, "PUT", "/api/v1/queue", {"recordings": []})
        self.addCleanup(self.service.call, "PUT", f"/api/v1/recordings/{self.plain}/listening", {"position": 0, "finished": False})
        self.show_recordings()
        self.page.until("return import('/player/core/store.js').then((s) => s.get('queue')?.length === 1)")
        self.page.run("window.asked = 0; const real = window.fetch; window.fetch = async (address, more) => { if (more?.method === 'PUT' && String(address).endsWith('/queue')) { window.asked += 1; await new Promise((then) => setTimeout(then, 1500)); } return real(address, more); };")
        self.listen(self.plain, 3)
        self.page.module("p.player.seek(s.get('player').duration - 0.3);")
        self.page.until("return window.asked")
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        time.sleep(2.5)
        self.assertEqual(self.page.state()["station"]["id"], "nightwave")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == []))

    def test_UI_A8_car_mode(self):
        self.listen(self.plain)
        self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 844, "height": 390, "deviceScaleFactor": 1, "mobile": False})
        try:
            self.page.module("const {go} = await import('/player/core/router.js'); go('/car');")
            self.page.until("return document.querySelector('car-mode .main')")
            boxes = self.page.run("return [...document.querySelectorAll('.car-button')].map((each) => { const box = each.getBoundingClientRect(); return [box.width, box.height] })")
            self.assertEqual(len(boxes), 3)
            self.assertTrue(all(width > 180 and height > 180 for width, height in boxes), boxes)
            self.page.click("car-mode .main")
            self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'paused')")
        finally:
            self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": self.width, "height": self.height, "deviceScaleFactor": 1, "mobile": False})
            self.page.open("/recordings", pair=None)


@WEB
class Cells(Recorded):
    def cell(self, id):
        return self.row(id) + ".querySelector('play-cell')"

    def made_up(self, variant="row", **facts):
        """A cell of a recording that only exists here: for lengths that no test waits for."""
        facts = {"id": "made-up", "state": "finished", "path": "/x.mp3", "station": {"id": "nightwave", "name": "Night Wave"}, **facts}
        return self.page.wait("const done2 = done; import('/player/parts/play-cell.js').then(({playCell}) => { const cell = playCell(arguments0, arguments1); document.querySelector('main').append(cell); const timer = cell.querySelector('.timer'); const answer = {text: timer.textContent, disabled: cell.querySelector('button').disabled, label: cell.querySelector('button').getAttribute('aria-label'), colour: getComputedStyle(timer).color}; cell.remove(); done2(answer); });".replace("arguments0", json.dumps(facts)).replace("arguments1", json.dumps(variant)))

    def test_UI_T1_only_the_icon_plays(self):
        self.show_recordings()
        self.page.run(self.cell(self.plain) + ".querySelector('.timer').click()")
        time.sleep(0.4)
        self.assertEqual(self.page.state()["kind"], "none")
        self.page.run(self.cell(self.plain) + ".querySelector('button').click()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')")
        self.assertTrue(self.page.run("return !document.querySelector('mini-player').hidden"))

    def test_UI_T2_two_variants(self):
        self.show_recordings()
        row = self.page.run("const cell = " + self.cell(self.plain)[7:] + "; const icon = cell.querySelector('.cell-icon').getBoundingClientRect(), timer = cell.querySelector('.timer').getBoundingClientRect(), style = getComputedStyle(cell); return {icon: [icon.width, icon.height], gap: timer.left - icon.right, radius: getComputedStyle(cell.querySelector('.cell-icon')).borderRadius, block: style.backgroundColor, size: getComputedStyle(cell.querySelector('.timer')).fontSize}")
        self.assertEqual(row, {"icon": [24, 24], "gap": 8, "radius": "50%", "block": "rgba(0, 0, 0, 0)", "size": "13px"})
        self.page.open(f"/recordings/{self.plain}", pair=None)
        self.page.until("return document.querySelector('.media play-cell')")
        media = self.page.run("const cell = document.querySelector('.media play-cell'), box = cell.getBoundingClientRect(), frame = document.querySelector('.media').getBoundingClientRect(), icon = cell.querySelector('.cell-icon').getBoundingClientRect(), timer = cell.querySelector('.timer').getBoundingClientRect(), style = getComputedStyle(cell); return {icon: [icon.width, icon.height], gap: timer.left - icon.right, padding: style.padding, block: style.backgroundColor, blur: style.backdropFilter, corner: [box.left - frame.left, frame.bottom - box.bottom]}")
        self.assertEqual(media, {"icon": [24, 24], "gap": 2, "padding": "4px 12px 4px 8px", "block": "rgba(0, 0, 0, 0.5)", "blur": "blur(8px)", "corner": [8, 8]})

    def test_UI_T3_shape_and_colours(self):
        self.page.open(f"/recordings/{self.plain}", pair=None)
        self.page.until("return document.querySelector('.media play-cell')")
        set_it = "const root = document.documentElement.style; root.setProperty('--cell-shape', arguments[0]); root.setProperty('--cell-play', 'rgb(1, 2, 3)'); document.querySelector('.media play-cell').style.setProperty('--cell-timer', 'rgb(4, 5, 6)'); root.setProperty('--cell-block', 'rgb(7, 8, 9)'); const cell = document.querySelector('.media play-cell'); const answer = [getComputedStyle(cell).borderRadius, getComputedStyle(cell.querySelector('.cell-icon')).color, getComputedStyle(cell.querySelector('.timer')).color, getComputedStyle(cell).backgroundColor, getComputedStyle(cell.querySelector('.cell-icon')).borderRadius]; for (const name of ['--cell-shape', '--cell-play', '--cell-block']) root.removeProperty(name); return answer;"
        self.assertEqual(self.page.run(set_it, "0px"), ["0px", "rgb(1, 2, 3)", "rgb(4, 5, 6)", "rgb(7, 8, 9)", "50%"])
        self.assertEqual(self.page.run(set_it, "999px")[0], "999px")

    def test_UI_T4_timer(self):
        self.show_recordings()
        cases = [
            (dict(seconds=754), "12:34"), (dict(seconds=3600), "1:00:00"), (dict(seconds=45296), "12:34:56"),
            (dict(seconds=5400, listening={"position": 1080}), "1h12 left"), (dict(seconds=1800, listening={"position": 1080}), "12 min left"),
            (dict(seconds=100, listening={"position": 58}), "42s left"), (dict(seconds=3600, listening={"position": 3580}), "1:00:00"),
            (dict(seconds=3600, listening={"position": 1000, "finished": True}), "1:00:00"),
        ]
        for facts, text in cases:
            self.assertEqual(self.made_up(**facts)["text"], text, facts)
        # While it plays: where it is.
        self.page.run(self.cell(self.plain) + ".querySelector('button').click()")
        self.page.until(self.cell(self.plain) + ".querySelector('.timer').textContent === '0:02'", within=6)
        self.page.module("p.player.close();")
        self.page.until(self.cell(self.plain) + ".querySelector('.timer').textContent.endsWith('s left')")
        self.service.call("PUT", f"/api/v1/recordings/{self.plain}/listening", {"position": 0})

    def test_UI_T5_one_state_in_two_tabs(self):
        self.show_recordings()
        first = self.page.browser.current_window_handle
        self.page.browser.switch_to.new_window("tab")
        second = self.page.browser.current_window_handle
        try:
            self.show_recordings()
            tabs = {first: None, second: None}
            on = lambda tab, script: (self.page.browser.switch_to.window(tab), self.page.run(script))[1]
            press = lambda tab, id: on(tab, self.cell(id) + ".querySelector('button').click()")
            look = lambda tab, id: on(tab, "const cell = " + self.cell(id)[7:] + "; return [cell.hasAttribute('playing'), document.querySelector('mini-player .mini-main')?.getAttribute('aria-label') ?? 'none']")
            press(first, self.plain)
            for tab in tabs:
                self.assertTrue(eventually(lambda: look(tab, self.plain) == [True, "Pause"], within=5), look(tab, self.plain))
            on(second, "document.querySelector('mini-player .mini-main').click()")
            for tab in tabs:
                self.assertTrue(eventually(lambda: look(tab, self.plain) == [False, "Play"], within=5), look(tab, self.plain))
            press(second, self.music)
            for tab in tabs:
                self.assertTrue(eventually(lambda: look(tab, self.music) == [True, "Pause"] and look(tab, self.plain)[0] is False, within=5))
            on(second, "import('/player/core/player.js').then((p) => p.player.seek(9))")
            for tab in tabs:
                self.assertTrue(eventually(lambda: on(tab, self.cell(self.music) + ".querySelector('.timer').textContent").startswith(("0:09", "0:1")), within=5))
            on(first, "import('/player/core/player.js').then((p) => p.player.close())")
            for tab in tabs:
                self.assertTrue(eventually(lambda: on(tab, "return document.querySelector('mini-player').hidden"), within=5))
        finally:
            self.page.browser.switch_to.window(second)
            self.page.browser.close()
            self.page.browser.switch_to.window(first)
            self.service.call("PUT", f"/api/v1/recordings/{self.music}/listening", {"position": 0})

    def test_UI_T5_two_hundred_random_actions(self):
        """Cell, mini-player and full player agree after any sequence of actions from two tabs."""
        import random
        seed = int(time.time())
        print(f"\n  seed {seed}")
        chance = random.Random(seed)
        self.show_recordings()
        first = self.page.browser.current_window_handle
        self.page.browser.switch_to.new_window("tab")
        second = self.page.browser.current_window_handle
        actions = ["p.player.toggle()", "p.player.pause()", "p.player.resume()", "p.player.skip(3)", "p.player.skip(-3)", "p.player.close()", "p.player.stop()", "p.player.next()", "p.player.setSpeed(1.5)", "p.player.setSpeed(1)", "p.player.seek(2)"]
        cells = [f"document.querySelectorAll('recording-row play-cell button')[{index}]?.click()" for index in range(3)]
        lives = [f"p.player.tune({{id: '{id}', name: '{name}'}}, {{name: 'x', stations: [{{id: 'nightwave', name: 'Night Wave'}}, {{id: 'harbour', name: 'Harbour Radio'}}]}})" for id, name in (("nightwave", "Night Wave"), ("harbour", "Harbour Radio"))]
        try:
            self.show_recordings()
            for _ in range(200):
                self.page.browser.switch_to.window(chance.choice([first, second]))
                self.page.run("const script = arguments[0]; return import('/player/core/player.js').then((p) => { (" + "(p) => { " + chance.choice(actions + cells * 2 + lives) + " }" + ")(p); })", "")
            self.assertTrue(eventually(lambda: self.agree(first, second), within=10), self.looks(first, second))
        finally:
            self.page.browser.switch_to.window(second)
            self.page.browser.close()
            self.page.browser.switch_to.window(first)

    LOOK = """return import('/player/core/store.js').then((s) => import('/player/core/player.js').then((p) => { const state = s.get('player');
        const mini = document.querySelector('mini-player .mini-main')?.getAttribute('aria-label') ?? 'none';
        const full = document.querySelector('live-player .big-play, recording-player .big-play')?.getAttribute('aria-label') ?? 'none';
        const cells = [...document.querySelectorAll('recording-row')].filter((row) => row.querySelector('play-cell').hasAttribute('playing')).map((row) => row.recording.id);
        return {kind: state.kind, id: state.station?.id ?? state.recording?.id ?? null, sounds: p.isSounding(), mini, full, cells}; }))"""

    def looks(self, *tabs):
        found = []
        for tab in tabs:
            self.page.browser.switch_to.window(tab)
            found.append(self.page.run(self.LOOK))
        return found

    def agree(self, *tabs):
        one, two = self.looks(*tabs)
        plain = lambda look: (look["mini"].split()[0].lower(), look["full"].split()[0].lower())
        inner = all(look["kind"] == "none" or plain(look)[0] == plain(look)[1] for look in (one, two))
        playing = one["cells"] == ([one["id"]] if one["kind"] == "recorded" and one["sounds"] else [])
        return one == two and inner and playing

    def test_UI_T6_unavailable(self):
        self.show_recordings()
        failed = self.made_up(state="failed", seconds=0, path=None)
        self.assertEqual((failed["text"], failed["disabled"]), ("--:--", True))
        written = self.made_up(state="recording", seconds=65)
        self.assertEqual([each["label"] for each in (failed, written)], ["Night Wave cannot be played", "Night Wave is still being recorded"])
        self.assertEqual((written["text"], written["disabled"], written["colour"]), ("1:05", True, "rgb(160, 135, 144)"))
        live = self.page.wait("import('/player/parts/play-cell.js').then(({stationCell}) => { const cell = stationCell({id: 'nightwave', name: 'Night Wave'}, null); document.querySelector('main').append(cell); const answer = [cell.querySelector('.timer').textContent, cell.querySelector('button').getAttribute('aria-label')]; cell.querySelector('button').click(); import('/player/core/store.js').then((s) => { const end = s.watch('player', (state) => { if (state.phase === 'live') { answer.push(cell.querySelector('button').getAttribute('aria-label')); setTimeout(() => { end(); cell.remove(); done(answer); }); } }); }); })")
        self.assertEqual(live[:2], ["LIVE", "Listen to Night Wave"])
        self.assertEqual(live[2], "Stop Night Wave")
        # And a station's own page has it on its picture.
        self.page.open("/station/harbour", pair=None)
        self.page.until("return document.querySelector('main .media play-cell .timer')?.textContent === 'LIVE'")
        self.page.run("document.querySelector('main .media play-cell button').click()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station?.id === 'harbour') && document.querySelector('main .media play-cell button').getAttribute('aria-label') === 'Stop Harbour Radio'")


    def test_UI_T6_a_recording_whose_file_is_gone_says_so_and_up_next_goes_on(self):
        import pathlib
        path = pathlib.Path(self.service.get(f"/api/v1/recordings/{self.talk}")["path"])
        away = path.with_suffix(".away")
        path.rename(away)
        self.addCleanup(lambda: away.exists() and away.rename(path))
        self.addCleanup(self.service.call, "PUT", "/api/v1/queue", {"recordings": []})
        mark = lambda finished: self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 0, "finished": finished})
        self.addCleanup(mark, False)
        mark(True)
        toast = "return document.querySelector('toast-host').textContent"
        is_failed = "return import('/player/core/store.js').then((s) => s.get('player').phase === 'failed' && s.get('player').recording.id === arguments[0])"
        self.show_recordings()
        self.page.run(self.cell(self.talk) + ".querySelector('button').click()")
        self.page.until(toast + ".includes('The Morning Desk: Its file is not there any more.Put it back where it was, or delete the recording.')")
        self.assertTrue(self.page.run(is_failed, self.talk))
        self.assertEqual(self.page.run("return document.querySelector('mini-player .mini-open span span').textContent"), "Its file is not there any more.")
        cell = self.page.run("const button = " + self.cell(self.talk)[7:] + ".querySelector('button'); return [button.disabled, button.getAttribute('aria-label')]")
        self.assertEqual(cell, [True, "The Morning Desk cannot be played"])
        # What was not heard keeps its marks.
        self.page.run(self.cell(self.plain) + ".querySelector('button').click()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').recording.id === arguments[0] && s.get('player').phase === 'playing')", self.plain)
        self.page.run(self.cell(self.talk) + ".querySelector('button').click()")
        self.page.until(is_failed, self.talk)
        self.assertTrue(self.service.get(f"/api/v1/recordings/{self.talk}")["listening"]["finished"])
        # Put back, it plays from where it is tried again.
        away.rename(path)
        self.page.click("mini-player .mini-main")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime > 0.3)")
        path.rename(away)
        # In Up Next the one after it is played, and it is said why.
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk, self.plain]})
        self.show_recordings()
        self.listen(self.music, 13)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').recording.id === arguments[0] && s.get('player').phase === 'playing')", self.plain, within=15)
        self.assertIn("The Morning Desk: Its file", self.page.run(toast))
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == []))
        # A service that is away is no reason to walk through all of it.
        self.service.call("PUT", "/api/v1/queue", {"recordings": [self.talk, self.plain]})
        self.show_recordings()
        self.page.run("const real = window.fetch; window.fetch = (address, ...more) => (String(address).endsWith('/audio') ? Promise.reject(new TypeError()) : real(address, ...more))")
        self.listen(self.music, 13)
        self.page.until(toast + ".includes('The service cannot be reached.')", within=15)
        time.sleep(0.5)
        self.assertTrue(self.page.run(is_failed, self.talk))
        self.assertEqual(self.service.get("/api/v1/queue")["recordings"], [self.plain])

@WEB
class Ties(Recorded):
    def test_UI_S1_recording_page(self):
        self.page.open(f"/recordings/{self.music}", pair=None)
        self.page.until("return document.querySelector('main .chapter-list')")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('main h2')].map((each) => each.textContent)"), ["Late Set", "Chapters", "Bookmarks", "Gaps", "Files"])
        self.assertIn("it is whole", self.page.run("return document.querySelector('main').innerText"))
        # What it is about: what is known of it, until somebody writes it.
        about = "return document.querySelector('main .description')?.innerText"
        self.assertRegex(self.page.run(about), r"Recorded from Night Wave on .*, from .* to .*\. \d titles.*Ella Marlowe")
        self.page.run("document.querySelector('main .description button').click()")
        self.page.run("document.querySelector('main .description textarea').value = 'The <b>late</b> set.'; document.querySelector('main .description form').requestSubmit()")
        self.page.until(about + ".includes('The <b>late</b> set.')")
        address = f"/api/v1/descriptions/{self.music}"
        self.assertEqual(self.service.get(address)["text"], "The <b>late</b> set.")
        # Another device writes; this page follows.
        self.service.call("PUT", address, {"text": "Written elsewhere."})
        self.page.until(about + ".includes('Written elsewhere.')")
        feed = lambda: urllib.request.urlopen(f"{self.service.address}/api/v1/feeds/show%3ALate%20Set.xml").read().decode()
        self.assertIn("<description>Written elsewhere.</description>", feed())
        self.service.call("PUT", address, {"text": ""})
        self.page.until(about + ".includes('Recorded from Night Wave')")
        self.page.open("/recordings/show/show%3ALate%20Set", pair=None)
        self.page.until(about)
        self.assertRegex(self.page.run(about), r"A series from Night Wave: 1 recording since ")
        self.service.call("PUT", "/api/v1/descriptions/show%3ALate%20Set", {"text": "Every night."})
        self.page.until(about + ".includes('Every night.')")
        self.assertIn("<description>Every night.</description>", feed())
        self.service.call("PUT", "/api/v1/descriptions/show%3ALate%20Set", {"text": ""})
        self.page.open(f"/recordings/{self.music}", pair=None)
        self.page.until("return document.querySelector('main .chapter-list')")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Verify').click()")
        self.page.until("return document.querySelector('toast-host').textContent.includes('as they were written')", within=40)

    def test_UI_S1_a_page_follows_its_recording_to_the_end(self):
        made = self.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 11, "show": "Now On"})["id"]
        self.page.open(f"/recordings/{made}", pair=None)
        self.page.until("return document.querySelector('main .masthead')")
        shown = lambda: self.page.run("return [document.querySelector('main .masthead').innerText, document.querySelectorAll('main .chapter-list li').length, document.querySelector('main play-cell button').disabled]")
        self.assertTrue(shown()[2])
        self.page.run("const note = document.querySelector('main input[type=text]'); note.value = 'half a note'; note.focus()")
        self.icecast.title("kestrel", "Ines Dahl - Late tides")
        time.sleep(2)
        self.icecast.title("kestrel", "The desk - Late roads")
        self.page.until("return document.querySelector('main .chapter-list')?.textContent.includes('Late roads')")
        self.assertTrue(eventually(lambda: not shown()[2], within=20), shown())
        self.assertNotIn("Play what is there", shown()[0])
        self.assertIn("Verify", shown()[0])
        self.assertRegex(shown()[0], r"Kestrel 1010 · 1[0-2] s · ")
        self.assertEqual(self.page.run("return document.activeElement.value"), "half a note")
        # Deleted elsewhere: there is nothing to play any more.
        delete(self.service, made)
        self.page.until("return location.pathname === '/player/recordings' && document.querySelector('toast-host').textContent.includes('Now On was deleted')")

    def test_UI_S1_the_page_of_a_show_follows_its_recordings(self):
        self.page.open("/recordings/show/show%3ALate%20Set", pair=None)
        said = "return document.querySelector('main .masthead')?.innerText.includes(arguments[0])"
        self.page.until(said, "1 recording ")
        made = self.service.call("POST", "/api/v1/recordings", {"station": "nightwave", "seconds": 4, "show": "Late Set"})["id"]
        self.page.until(said, "2 recordings")
        self.page.until("return document.querySelector('main .description').innerText.includes('2 recordings since')")
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{made}")["state"] == "finished", within=30))
        self.service.call("PUT", f"/api/v1/recordings/{made}/listening", {"position": 1})
        self.page.until(said, "Continue")
        delete(self.service, made)
        self.page.until(said, "1 recording ")

    def test_UI_S1_the_page_of_what_is_deleted_is_left(self):
        made = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 4, "show": "Gone"})["id"]
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{made}")["state"] == "finished", within=30))
        self.page.open(f"/recordings/{made}", pair=None)
        self.page.until("return document.querySelector('main .masthead')")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Actions').click()")
        self.page.until("return document.querySelector('dialog .danger')")
        self.page.run("document.querySelector('dialog .danger').click()")
        self.page.until("return location.pathname === '/player/recordings' && document.querySelector('main h1').textContent === 'Recordings' && !document.querySelector('dialog')")
        self.page.click("toast-host .text-button")
        self.page.until(self.row(made))
        delete(self.service, made)

    def test_UI_S2_history(self):
        self.service.call("DELETE", "/api/v1/history")
        self.page.module("p.player.tune({id: 'harbour', name: 'Harbour Radio'}, null);")
        self.assertTrue(eventually(lambda: [each["station"]["id"] for each in self.service.get("/api/v1/history?kind=station")["history"]] == ["harbour"], within=15))
        self.page.open("/", pair=None)
        self.page.until("return [...document.querySelectorAll('.section')].some((each) => each.querySelector('h2').textContent === 'Recently played' && each.textContent.includes('Harbour Radio'))")
        self.page.open("/history", pair=None)
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Pause history').click()")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/history")["paused"]))
        self.page.until("return [...document.querySelectorAll('main .pill')].some((each) => each.textContent === 'Write history again')")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Clear history').click()")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/history")["history"] == []))
        self.service.call("PUT", "/api/v1/history/paused", {"value": False})

    def test_UI_S3_library(self):
        for station in ("nightwave", "harbour"):
            self.service.call("PUT", f"/api/v1/stations/{station}/favourite", {"value": True})
        self.page.open("/library", pair=None)
        self.page.until("return document.querySelectorAll('main .handle').length === 2")
        before = self.page.run("return [...document.querySelectorAll('main station-row')].slice(0, 2).map((each) => each.station.id)")
        self.page.run("document.querySelectorAll('main .handle')[1].focus()")
        ActionChains(self.page.browser).key_down(Keys.ALT).send_keys(Keys.ARROW_UP).key_up(Keys.ALT).perform()
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/favourites")["stations"] == before[::-1]))
        self.page.open("/library", pair=None)
        self.page.until("return document.querySelectorAll('main .handle').length === 2")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('main station-row')].slice(0, 2).map((each) => each.station.id)"), before[::-1])
        self.page.module("p.player.tune({id: 'kestrel', name: 'Kestrel 1010'}, null);")
        self.page.run("document.querySelectorAll('.preset')[2].click()")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/stations/kestrel").get("preset") == 3))
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 5})
        self.page.open("/library?show=unfinished", pair=None)
        self.page.until("return [...document.querySelectorAll('main recording-row')].map((row) => row.recording.id).join() === arguments[0]", self.talk)
        self.service.call("PUT", f"/api/v1/recordings/{self.talk}/listening", {"position": 0})

    def test_UI_S4_recorded_mini_player(self):
        self.listen(self.music, 7)
        self.page.module("p.player.pause();")
        found = self.page.until("const line = document.querySelector('mini-player .edge.line i'); return line && {part: Number(line.style.getPropertyValue('--part')), sweep: !!document.querySelector('mini-player scan-bar'), buttons: [...document.querySelectorAll('mini-player button')].map((each) => each.getAttribute('aria-label'))}")
        self.assertFalse(found["sweep"])
        self.assertEqual(found["buttons"], ["Open the player", "Back 30 seconds", "Play", "Up next"])
        self.assertAlmostEqual(self.page.run("return Number(document.querySelector('mini-player .edge.line i').style.getPropertyValue('--part'))"), self.position() / self.page.state()["duration"], delta=0.05)

    def test_UI_S5_share_and_undo(self):
        self.page.open(f"/recordings/{self.plain}?t=4", pair=None)
        self.page.until("return [...document.querySelectorAll('main .pill')].some((each) => each.textContent === 'Play from 0:04')")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Play from 0:04').click()")
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.recorded.currentTime >= 4)")
        self.service.call("PUT", "/api/v1/queue", {"recordings": self.ids})
        self.page.open("/queue", pair=None)
        self.page.until("return document.querySelectorAll('.queue-row').length === 3")
        self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Clear').click()")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == []))
        self.page.click("toast-host .text-button")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == self.ids))
        # Shuffled, the same are there in another order: one of six times three stay as they were.
        def other_order():
            self.page.run("[...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Shuffle').click()")
            return eventually(lambda: self.service.get("/api/v1/queue")["recordings"] != self.ids, within=1)
        self.assertTrue(any(other_order() for _ in range(12)))
        self.assertEqual(sorted(self.service.get("/api/v1/queue")["recordings"]), sorted(self.ids))
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})
        # What is shared is this recording's address: by the browser's own sheet where it has one, else it is in the clipboard.
        self.page.open(f"/recordings/{self.plain}", pair=None)
        self.page.run("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }; [...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Share').click()")
        self.assertEqual(self.page.until("return window.shared")["url"], f"{self.service.address}/player/recordings/{self.plain}")
        self.page.run("navigator.share = undefined; Object.defineProperty(navigator, 'clipboard', {value: {writeText: (text) => { window.copied = text; return Promise.resolve(); }}}); [...document.querySelectorAll('main .pill')].find((each) => each.textContent === 'Share').click()")
        self.assertEqual(self.page.until("return window.copied"), f"{self.service.address}/player/recordings/{self.plain}")

    def test_UI_S5_a_shared_place_is_offered_at_the_top(self):
        self.page.open(f"/recordings/{self.music}?t=4", pair=None)
        offer = "[...document.querySelectorAll('main .masthead .pill')].find((each) => each.textContent === 'Play from 0:04')"
        self.page.until(f"return {offer}")
        self.assertTrue(self.page.run(f"const box = {offer}.getBoundingClientRect(); return box.bottom < document.querySelector('.dock').getBoundingClientRect().top && scrollY === 0"))
        self.assertEqual(self.page.run("return document.querySelector('toast-host').textContent"), "")

    def test_UI_S6_states_of_lists(self):
        self.page.open("/radio?genre=Polka", pair=None)
        self.page.until("return document.querySelector('main .state')?.textContent.includes('No polka stations')")
        self.page.run("const real = window.fetch; window.fetch = (address, ...more) => (String(address).includes('stats') ? Promise.resolve(new Response('{}', {status: 500})) : real(address, ...more)); window.heal = () => { window.fetch = real; }; return import('/player/core/router.js').then((r) => r.go('/recordings/stats'))")
        self.page.until("return document.querySelector('main .state .pill')?.textContent === 'Try again'")
        self.page.run("window.heal(); document.querySelector('main .state .pill').click()")
        self.page.until("return document.querySelector('.stat-cards')")

    def test_UI_L9_what_was_found_follows_what_is_recorded_marked_and_deleted(self):
        found = "return [...document.querySelectorAll('main .section:not([hidden]) recording-row')].map((row) => row.recording.id)"
        nothing = "return Boolean([...document.querySelectorAll('main .state')].find((each) => each.checkVisibility() && each.textContent.includes('Nothing for')))"
        self.page.open("/search?q=zebra", pair=None)
        self.page.until(nothing)
        record = lambda seconds: self.service.call("POST", "/api/v1/recordings", {"station": "nightwave", "seconds": seconds, "show": "Zebra Hour"})["id"]
        first = record(4)
        self.page.until(f"{found}.join() === '{first}'")
        self.assertFalse(self.page.run(nothing))
        self.assertIn("Recording now", self.page.run(self.row(first) + ".innerText"))
        # Its end is told, with what can be done then.
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{first}")["state"] == "finished", within=30))
        self.page.until(self.row(first) + "?.querySelector('play-cell button').disabled === false && /^[3-6] s/.test(document.querySelector('main recording-row .meta').textContent)")
        # Another one comes by a title that has the words; the focus stays where it is, and a key is heard once.
        self.page.run(self.row(first)[7:] + ".querySelector('.name').focus()")
        second = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 12})["id"]
        time.sleep(1)
        self.assertEqual(self.page.run(found), [first])
        self.icecast.title("harbour", "Ada Fenn - Zebra Crossing")
        self.page.until(f"{found}.join() === '{second},{first}'")
        self.assertEqual(self.page.run("return document.activeElement.closest('recording-row')?.recording.id"), first)
        self.page.key("s")
        self.page.until(self.row(first) + ".querySelector('.star:not([hidden])')")
        time.sleep(0.5)
        self.assertTrue(self.service.get(f"/api/v1/recordings/{first}")["listening"]["starred"])
        # Deleted here it is gone at once, and comes back with Undo; deleted elsewhere it goes as well.
        self.page.key(Keys.DELETE)
        self.assertEqual(self.page.run(found), [second])
        self.page.click("toast-host .text-button")
        self.page.until(f"{found}.join() === '{second},{first}'")
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{second}")["state"] == "finished", within=30))
        delete(self.service, first)
        self.page.until(f"{found}.join() === '{second}'")
        delete(self.service, second)
        self.page.until(nothing)

    def test_UI_S8_light_and_reduced_transparency(self):
        emulate = lambda features: self.page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": name, "value": value} for name, value in features.items()]})
        canvas = "return getComputedStyle(document.body).backgroundColor"
        emulate({"prefers-color-scheme": "light"})
        self.assertEqual(self.page.run(canvas), "rgb(18, 10, 14)", "light only where somebody asks for it")
        self.page.run("document.documentElement.dataset.theme = 'system'")
        self.assertEqual(self.page.run(canvas), "rgb(253, 248, 249)")
        # Words can be read on it, and in the reading room, which stays dark.
        self.listen(self.talk)
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('full-player[data-room=reading] .title')")
        light = "const parts = getComputedStyle(document.querySelector(arguments[0]))[arguments[1]].match(/[\\d.]+/g).map(Number); return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255"
        self.assertGreater(self.page.run(light, "full-player .title", "color"), 0.8)
        self.assertLess(self.page.run(light, "full-player", "backgroundColor"), 0.2)
        self.page.module("s.set('full', false); p.player.close(); s.set('sheet', {name: 'speed'});")
        self.page.until("return document.querySelector('dialog .speed-value')")
        self.assertLess(self.page.run(light, "dialog h2", "color"), 0.2)
        self.assertGreater(self.page.run(light, "dialog", "backgroundColor"), 0.8)
        self.page.module("s.set('sheet', null);")
        self.page.run("document.documentElement.dataset.theme = 'dark'")
        emulate({"prefers-reduced-transparency": "reduce"})
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('tab-bar nav')).backgroundColor"), "rgb(18, 10, 14)")
        emulate({})


@WEB
class Empty(WebCase):
    def test_UI_S6_an_empty_library_shows_what_is_being_recorded(self):
        self.page.open("/recordings", pair=None)
        self.page.until("return document.querySelector('main .state')?.textContent.includes('Nothing recorded yet')")
        made = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 60})["id"]
        self.page.until("return !document.querySelector('main').textContent.includes('Nothing recorded yet') && [...document.querySelectorAll('main .section')].find((each) => each.textContent.includes('Recording now'))?.querySelector('recording-row')?.checkVisibility()")
        self.service.call("POST", f"/api/v1/recordings/{made}/stop")
        self.page.until("return [...document.querySelectorAll('main .section')].every((each) => !each.textContent.includes('Recording now') || !each.checkVisibility())")
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{made}")["state"] == "finished", within=30))
        delete(self.service, made)
        self.page.until("return document.querySelector('main .state')?.textContent.includes('Nothing recorded yet')")


@WEB
class Feeds(Recorded):
    def test_feeds_are_read_by_two_readers(self):
        import feedparser
        import podcastparser
        import io
        address = f"{self.service.address}/api/v1/feeds/show%3ALate%20Set.xml"
        text = urllib.request.urlopen(address).read()
        feed = feedparser.parse(text)
        self.assertFalse(feed.bozo, feed.get("bozo_exception"))
        self.assertEqual(feed.feed.title, "Late Set")
        entry = feed.entries[0]
        self.assertEqual((entry.id, entry.enclosures[0].type), (self.music, "audio/mpeg"))
        sound = urllib.request.urlopen(entry.enclosures[0].href)
        self.assertEqual(int(sound.headers["Content-Length"]), int(entry.enclosures[0].length))
        parsed = podcastparser.parse(address, io.BytesIO(text))
        episode = parsed["episodes"][0]
        self.assertEqual(episode["guid"], self.music)
        self.assertAlmostEqual(episode["total_time"], self.service.get(f"/api/v1/recordings/{self.music}")["seconds"], delta=1)
        self.assertEqual(episode["enclosures"][0]["mime_type"], "audio/mpeg")
        self.assertIn("Copper Rain", episode["description"])
        chapters = json.load(urllib.request.urlopen(episode["chapters_json_url"] if "chapters_json_url" in episode else f"{self.service.address}/api/v1/recordings/{self.music}/chapters.json"))
        self.assertEqual(chapters["version"], "1.2.0")
        self.assertEqual([each["title"] for each in chapters["chapters"]][-2:], ["Ella Marlowe - Blue Lantern", "Ada Fenn - Copper Rain"])
        opml = urllib.request.urlopen(f"{self.service.address}/api/v1/feeds.opml").read().decode()
        import xml.etree.ElementTree as tree
        outlines = tree.fromstring(opml).findall("./body/outline")
        self.assertEqual({each.get("text") for each in outlines}, {"Late Set", "The Morning Desk", "Harbour Radio"})
        for each in outlines:
            self.assertEqual(urllib.request.urlopen(each.get("xmlUrl")).status, 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
