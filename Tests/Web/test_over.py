"""What lies over the screen: the full player on a phone, sheets, toasts and banners. How each is seen, closed and gone back from."""
import time
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from support import WebCase, eventually, needs

#: What would be hit in the middle of an element, and whether anything can be pressed there.
REACHED = """
const found = document.querySelector(arguments[0]);
if (!found) return 'not there';
const box = found.getBoundingClientRect(), hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
return found.closest('[inert]') ? 'inert' : found.contains(hit) ? 'reached' : `behind ${hit?.tagName}.${hit?.className}`;
"""


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class Phone(WebCase):
    width, height = 390, 844

    def setUp(self):
        self.page.open("/radio", pair=None)

    def tune(self):
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, {name: 'x', stations: [{id: 'nightwave', name: 'Night Wave'}, {id: 'harbour', name: 'Harbour Radio'}]});")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")

    def full(self):
        self.tune()
        self.page.click("mini-player .mini-open")
        self.page.until("return document.querySelector('full-player').hasAttribute('open') && Math.round(document.querySelector('full-player').getBoundingClientRect().top) === 0")

    def is_full(self):
        return self.page.run("return document.querySelector('full-player').hasAttribute('open')")

    def touch(self, x, y, to_x, to_y):
        """A finger, as the browser gets it: it may be taken away by scrolling."""
        point = lambda x, y: [{"x": x, "y": y}]
        send = lambda kind, points: self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        send("touchStart", point(x, y))
        for step in range(1, 9):
            send("touchMove", point(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
            time.sleep(0.02)
        send("touchEnd", [])

    def test_UI_S5_what_is_told_over_the_full_player_can_be_pressed(self):
        self.full()
        self.page.click("live-player .call button")
        self.page.until("return document.querySelector('.toast')?.textContent.includes('favourite')")
        time.sleep(0.4)
        self.assertEqual(self.page.run(REACHED, ".toast .text-button"), "reached")
        self.page.click(".toast .text-button")
        self.assertTrue(eventually(lambda: not self.service.get("/api/v1/stations/nightwave")["favourite"]))

    def test_UI_S5_undo_of_what_a_sheet_did_lies_in_the_sheet(self):
        self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 3})
        row = lambda: next(iter(self.service.get("/api/v1/recordings?limit=1")["recordings"]), {})
        self.assertTrue(eventually(lambda: row().get("state") == "finished", within=30))
        self.service.call("PUT", "/api/v1/queue", {"recordings": [row()["id"]]})
        self.page.module("s.set('sheet', {name: 'queue'});")
        self.page.until("return document.querySelectorAll('dialog .queue-row').length === 1")
        self.page.run("[...document.querySelectorAll('dialog .pill')].find((each) => each.textContent === 'Clear').click()")
        self.page.until("return document.querySelector('dialog .toast .text-button')")
        time.sleep(0.4)
        self.assertEqual(self.page.run(REACHED, ".toast .text-button"), "reached")
        self.page.click("dialog .toast .text-button")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/queue")["recordings"] == [row()["id"]]))
        self.service.call("PUT", "/api/v1/queue", {"recordings": []})
        # What is said goes on being said where the sheet is closed.
        self.page.module("s.set('toast', {text: 'said', kind: 'plain'}); s.set('sheet', null);")
        self.assertEqual(self.page.run("return document.querySelector('toast-host .toast').textContent"), "said")

    def test_UI_S7_a_wrong_code_is_told_in_the_sheet(self):
        self.page.module("s.set('sheet', {name: 'pair'});")
        self.page.until("return document.activeElement?.name === 'code'")
        self.page.run("const form = document.querySelector('dialog form'); form.elements.code.value = 'XXXX-XXXX'; form.requestSubmit()")
        self.page.until("return document.querySelector('dialog .toast.error')")
        time.sleep(0.4)
        self.assertEqual(self.page.run(REACHED, ".toast.error p"), "reached")

    def test_UI_L10_a_failure_is_told_above_the_full_player_and_stays_while_it_is_tried_again(self):
        self.full()
        self.page.module("p.player.tune({id: 'no-such-station', name: 'Gone FM'}, null);")
        self.page.until("return document.querySelector('[data-banner=failed]')")
        time.sleep(0.4)
        self.assertEqual(self.page.run(REACHED, "[data-banner=failed] button"), "reached")
        self.assertEqual(self.page.run(REACHED, "live-player .collapse"), "reached")
        # Tried again and again: the banner neither goes nor becomes another size, and the one button is a stop.
        self.page.run("document.querySelector('[data-banner=failed] .text-button').focus()")
        self.page.run("window.sizes = new Set(); window.texts = new Set(); new MutationObserver(() => { const host = document.querySelector('banner-host'); window.sizes.add(host.offsetHeight); window.texts.add(host.textContent); }).observe(document.querySelector('banner-host'), {childList: true, subtree: true});")
        self.page.until("return [...window.texts].some((each) => each.includes('Trying again now')) && [...window.texts].some((each) => /Trying again in [48] s/.test(each))", within=20)
        self.assertEqual(len(self.page.run("return [...window.sizes]")), 1)
        self.assertEqual(self.page.run("return document.activeElement.textContent"), "Next station")
        self.assertEqual(self.page.run("return document.querySelector('live-player .big-play').getAttribute('aria-label')"), "Stop Gone FM")
        self.page.click("live-player .big-play")
        self.page.until("return !document.querySelector('[data-banner=failed]')")
        self.assertEqual(self.page.state()["phase"], "stopped")

    def test_UI_L7_a_finger_opens_and_closes_the_full_player(self):
        self.tune()
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False})
        box = self.page.run("const box = document.querySelector('mini-player').getBoundingClientRect(); return [box.left + 120, box.top + 20]")
        self.touch(*box, box[0], box[1] - 120)
        self.assertTrue(eventually(self.is_full, within=2))
        time.sleep(0.6)
        # A little is no wish; what is far enough is.
        self.touch(195, 300, 195, 350)
        time.sleep(0.5)
        self.assertTrue(self.is_full())
        self.assertEqual(self.page.run("return Math.round(document.querySelector('full-player').getBoundingClientRect().top)"), 0)
        self.touch(195, 300, 195, 460)
        self.assertTrue(eventually(lambda: not self.is_full(), within=2))

    def test_Always_escape_closes_the_full_player_wherever_the_focus_is(self):
        self.full()
        self.page.run("document.activeElement.blur()")
        self.assertEqual(self.page.run("return document.activeElement.tagName"), "BODY")
        self.page.key(Keys.ESCAPE)
        self.assertTrue(eventually(lambda: not self.is_full(), within=2))

    def test_Always_back_closes_the_newest_first_and_then_leaves_the_screen(self):
        self.page.click("tab-bar a[data-tab=search]")
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.full()
        self.page.click("live-player [aria-label=More]")
        self.page.until("return document.querySelector('dialog .menu')")
        self.browser.back()
        self.page.until("return !document.querySelector('dialog')")
        self.assertTrue(self.is_full())
        self.browser.back()
        self.assertTrue(eventually(lambda: not self.is_full(), within=2))
        self.assertEqual(self.page.run("return document.querySelector('main h1').textContent"), "Search")
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Radio'")

    def test_Always_what_was_closed_otherwise_leaves_nothing_to_go_back_to(self):
        self.page.click("tab-bar a[data-tab=search]")
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.full()
        self.page.click("live-player [aria-label=More]")
        self.page.until("return document.querySelector('dialog .menu')")
        # From the menu over the player to a screen, both close; and one sheet follows another.
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'About this station').click()")
        self.page.until("return document.querySelector('main h2.call-sign')?.textContent === 'Night Wave' && !document.querySelector('dialog')")
        self.assertFalse(self.is_full())
        self.page.module("s.set('sheet', {name: 'sleep'});")
        self.page.until("return document.querySelector('dialog[data-sheet=sleep]')")
        self.page.module("s.set('sheet', null); s.set('sheet', {name: 'sound'});")
        self.page.until("return document.querySelector('dialog[data-sheet=sound]')")
        self.page.click("dialog [aria-label=Close]")
        self.page.until("return !document.querySelector('dialog') && !history.state?.layer")
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Radio'")

    def still(self):
        """Every entry of what was closed is off the history."""
        self.page.until("return !document.querySelector('dialog') && !history.state?.layer")

    def test_Always_closing_the_player_from_its_own_menu_leaves_nothing_to_go_back_to(self):
        self.page.click("tab-bar a[data-tab=search]")
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.full()
        self.page.click("live-player [aria-label=More]")
        self.page.until("return document.querySelector('dialog .menu')")
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Close the player').click()")
        self.still()
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Radio'")
        # Forward to what was closed leads nowhere, and leaves nothing either.
        self.browser.forward()
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.browser.forward()
        self.still()

    def test_Always_what_opens_while_another_closes_stays_open(self):
        for _ in range(5):
            self.page.module("s.set('sheet', {name: 'sleep'});")
            self.page.until("return document.querySelector('dialog[data-sheet=sleep]')")
            # In the middle of taking the entry of the first off the history.
            self.page.module("s.set('sheet', null); await new Promise((done) => setTimeout(done)); s.set('sheet', {name: 'sound'});")
            self.page.until("return document.querySelector('dialog[data-sheet=sound]') && history.state?.layer === 1")
            time.sleep(0.2)
            self.assertEqual(self.page.run("return document.querySelectorAll('dialog[data-sheet=sound]').length"), 1)
            self.page.module("s.set('sheet', null);")
            self.still()

    def test_Always_a_reload_shows_the_screen_with_nothing_over_it(self):
        self.page.click("tab-bar a[data-tab=search]")
        self.page.until("return document.querySelector('main h1').textContent === 'Search'")
        self.full()
        self.page.module("s.set('sheet', {name: 'sleep'});")
        self.page.until("return history.state?.layer === 2")
        self.browser.refresh()
        self.page.until("return document.querySelector('main h1')?.textContent === 'Search' && !history.state?.layer")
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Radio'")

    def test_Always_a_sheet_that_cannot_be_had_is_told_and_takes_no_keys(self):
        self.tune()
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/sheets/keys.js*"]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Network.setBlockedURLs", {"urls": []})
        self.page.key("?")
        self.page.until("return document.querySelector('.toast.error')?.textContent.includes('could not be opened')")
        self.page.key("n")
        self.assertTrue(eventually(lambda: self.page.state()["station"]["id"] == "harbour", within=3))

    def test_UI_S5_undo_takes_back_as_long_as_it_is_offered(self):
        """A toast waits for whoever is at it, and what it says is done only once it has gone."""
        made = self.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 3})["id"]
        state = lambda: next((each["state"] for each in self.service.get("/api/v1/recordings")["recordings"] if each["id"] == made), None)
        self.assertTrue(eventually(lambda: state() == "finished", within=30))
        self.page.open("/recordings/filter/new", pair=None)
        delete = "const row = [...document.querySelectorAll('main recording-row')].find((each) => each.recording.id === arguments[0]); row.focus(); row.dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete', bubbles: true}))"
        self.page.until("return [...document.querySelectorAll('main recording-row')].some((each) => each.recording.id === arguments[0])", made)
        self.page.run(delete, made)
        ActionChains(self.browser).move_to_element(self.page.until("return document.querySelector('.toast .text-button')")).perform()
        time.sleep(10)
        self.assertEqual(state(), "finished")
        self.page.click(".toast .text-button")
        self.page.until("return [...document.querySelectorAll('main recording-row')].some((each) => each.recording.id === arguments[0])", made)
        time.sleep(1)
        self.assertEqual(state(), "finished")
        # Dismissed, it is done at once.
        self.page.run(delete, made)
        self.page.click(".toast [aria-label=Dismiss]")
        self.assertTrue(eventually(lambda: state() is None, within=5))

    def test_UI_S5_what_is_said_meanwhile_takes_no_undo_away(self):
        """A volume's toast beside a deletion's; only what can be taken back itself takes its place."""
        made = [self.service.call("POST", "/api/v1/recordings", {"station": station, "seconds": 3})["id"] for station in ("harbour", "kestrel")]
        stored = lambda: {each["id"]: each["state"] for each in self.service.get("/api/v1/recordings")["recordings"]}
        self.assertTrue(eventually(lambda: all(stored()[id] == "finished" for id in made), within=30))
        self.page.open("/recordings/filter/new", pair=None)
        row = "[...document.querySelectorAll('main recording-row')].find((each) => each.recording.id === arguments[0])"
        delete = lambda id: (self.page.until("return " + row, id), self.page.run(f"const row = {row}; row.focus(); row.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Delete', bubbles: true}}))", id))
        delete(made[0])
        self.tune()
        for _ in range(2):
            self.page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}))")
        told = "return [...document.querySelectorAll('.toast p')].map((each) => each.textContent.replace(/[0-9]+/, 'N'))"
        self.assertEqual(self.page.run(told), ["Harbour Radio is deleted.", "Volume N %"])
        time.sleep(1)
        self.assertIn(made[0], stored())
        self.page.click(".toast .text-button")
        self.page.until("return " + row, made[0])
        for id in made:
            delete(id)
        self.assertTrue(eventually(lambda: made[0] not in stored(), within=4), "it cannot be taken back any more, and is there")
        self.assertIn(made[1], stored())
        self.page.click(".toast .text-button")

    def test_Always_the_focus_comes_back_from_what_was_told(self):
        self.page.until("return document.querySelector('station-row .row-play')")
        for gone, there in [(False, "row-play"), (True, "H1")]:
            self.page.run("document.querySelector('station-row .row-play').focus()")
            self.page.module("window.undone = 0; s.set('toast', {text: 'Done.', undo: () => { window.undone += 1; }}); document.querySelector('toast-host .text-button').focus();")
            if gone:
                self.page.run("document.querySelector('station-row').remove()")
            self.page.key(Keys.ENTER)
            self.page.until("return window.undone === 1 && !document.querySelector('.toast')")
            self.assertEqual(self.page.run("return document.activeElement.className || document.activeElement.tagName"), there)

    def test_Always_an_open_sheet_has_the_keys_for_itself(self):
        self.tune()
        self.page.module("s.set('sheet', {name: 'sleep'});")
        self.page.until("return document.querySelector('dialog[data-sheet=sleep]')")
        for key in ("n", "/"):
            self.page.key(key)
        time.sleep(0.5)
        self.assertEqual(self.page.state()["station"]["id"], "nightwave")
        self.assertEqual(self.page.run("return location.pathname"), "/player/radio")
        self.page.key(Keys.ESCAPE)
        self.page.until("return !document.querySelector('dialog')")
        self.page.key("n")
        self.assertTrue(eventually(lambda: self.page.state()["station"]["id"] == "harbour", within=3))

    def test_record_shows_that_it_runs_and_is_no_second_recording(self):
        self.full()
        chip = "return [...document.querySelectorAll('live-player .action-chip')].find((each) => /^Record/.test(each.textContent))"
        self.page.run(chip + ".click()")
        running = lambda: [each["id"] for each in self.service.get("/api/v1/recordings")["recordings"] if each["state"] == "recording"]
        self.assertTrue(eventually(lambda: len(running()) == 1))
        self.page.until(chip + ".textContent === 'Recording'")
        self.page.run(chip + ".click()")
        self.page.until("return document.querySelector('dialog .menu')")
        self.assertEqual(len(running()), 1)
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent.startsWith('Stop ')).click()")
        self.assertTrue(eventually(lambda: running() == []))
        self.page.until(chip + ".textContent === 'Record'")
        # One that another began is shown as well.
        made = self.service.call("POST", "/api/v1/recordings", {"station": "nightwave"})["id"]
        self.page.until(chip + ".textContent === 'Recording'")
        self.service.call("POST", f"/api/v1/recordings/{made}/stop")
        self.page.until(chip + ".textContent === 'Record'")

    def test_UI_A4_the_timer_of_live_says_what_is_left(self):
        self.full()
        self.page.module("p.player.sleep({minutes: 15});")
        self.page.until("return [...document.querySelectorAll('live-player .action-chip.active')].some((each) => each.textContent === '15 min')")
        self.page.module("s.set('sheet', {name: 'sleep'});")
        self.page.until("return document.querySelector('dialog .muted')?.textContent === 'Stops in 15 min.'")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('dialog .chip[aria-pressed=true]')].map((each) => each.textContent)"), ["15 min"])
        self.page.module("p.player.sleep(null);")

    def test_UI_S6_what_could_not_be_had_comes_when_the_service_is_back(self):
        """A list, and a screen that this browser has never seen."""
        for tab, there in (("radio", "main station-row"), ("library", "main .presets")):
            with self.subTest(tab):
                self.page.open("/search", pair=None)
                self.tune()
                self.service.stop()
                try:
                    self.page.until("return document.querySelector('[data-banner=offline]')", within=20)
                    self.page.run("document.querySelector(`tab-bar a[data-tab=${arguments[0]}]`).click()", tab)
                    self.page.until("return document.querySelector('main .state .pill')?.textContent === 'Try again'", within=20)
                finally:
                    self.service.start()
                self.page.until("return document.querySelector(arguments[0])", there, within=30)
                self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')", within=6)

    def test_Always_the_place_of_a_screen_is_found_again(self):
        # What is there only later makes the screen long: it is slow here.
        self.page.open("/settings", pair=None)
        self.page.run("const real = window.fetch; window.fetch = async (address, ...more) => { await new Promise((done) => setTimeout(done, 700)); return real(address, ...more); };")
        self.page.until("return document.documentElement.scrollHeight > innerHeight + 700")
        self.page.run("scrollTo(0, 600)")
        self.page.run("document.querySelector('tab-bar a[data-tab=radio]').click()")
        self.page.until("return document.querySelector('main h1').textContent === 'Radio' && scrollY < 300")
        self.browser.back()
        self.page.until("return document.querySelector('main h1').textContent === 'Settings' && scrollY === 600")

    def test_UI_L5_a_long_title_among_the_recent_moves_nothing(self):
        self.full()
        where = "return ['.tile.large', '.big-play', '.call button', '.under'].map((each) => { const box = document.querySelector('live-player ' + each).getBoundingClientRect(); return [Math.round(box.left), Math.round(box.right)]; })"
        before = self.page.run(where)
        for title in ("Nick Harbour and the Bad Weather - Where the Wild Roses Used to Grow Before", "W" * 900):
            self.icecast.title("nightwave", title)
            self.page.until("return [...document.querySelectorAll('live-player .recent li')].some((each) => each.textContent.includes(arguments[0]))", title[-30:], within=12)
            self.assertEqual(self.page.run(where), before)
            self.assertLessEqual(self.page.run("return document.querySelector('full-player').scrollWidth"), self.width)

    def test_UI_L5_a_long_name_and_a_long_title_leave_the_controls_in_sight(self):
        self.full()
        place = "const box = document.querySelector('live-player .big-play').getBoundingClientRect(); return [box.top, box.bottom]"
        before = self.page.run(place)
        line = 26
        self.page.run("document.querySelector('live-player .call-sign').textContent = 'The Voice of the Valley and All Its Villages, Hamlets and Farms, from Dawn to Dusk and through the Night'")
        title = "The Long Road from the Harbour to the Hill and " * 5
        self.icecast.title("nightwave", "Nick Harbour - " + title)
        self.page.until("return document.querySelector('live-player .now-airing').textContent.startsWith('The Long Road')", within=12)
        after = self.page.run(place)
        self.assertLessEqual(after[0] - before[0], 3 * line)
        self.assertLessEqual(after[1], self.height)


@needs("chromium", "chromedriver", "icecast2", "ffmpeg")
class OnItsSide(WebCase):
    width, height = 740, 360

    def test_Always_a_phone_on_its_side_has_the_controls_in_sight(self):
        self.page.open("/radio", pair=None)
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null); s.set('full', true);")
        self.page.until("return document.querySelector('live-player .big-play') && Math.round(document.querySelector('full-player').getBoundingClientRect().top) === 0")
        time.sleep(0.5)
        for part in (".big-play", ".tile.large", ".call-sign", "scan-bar"):
            box = self.page.run("const box = document.querySelector('live-player ' + arguments[0]).getBoundingClientRect(); return [box.top, box.bottom]", part)
            self.assertGreaterEqual(box[0], 0, part)
            self.assertLessEqual(box[1], self.height, part)


if __name__ == "__main__":
    unittest.main(verbosity=2)
