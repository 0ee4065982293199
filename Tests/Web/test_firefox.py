"""The page in a real Firefox: sound that goes on, stop, recordings, keyboard, and no position on live. Sound is captured."""
import pathlib
import shutil
import tempfile
import time
import unittest

from firefox import Firefox
from support import Page, Programs, SoundServer, World, eventually, needs
from test_personal import capture, loudness, tone

PHASE = "return import('/player/core/store.js').then((s) => s.get('player').phase === arguments[0])"


@needs("firefox-esr", "icecast2", "ffmpeg", "pulseaudio", "parec")
class InFirefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="aircheck-sound-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.programs = Programs(cls.folder)
        cls.addClassCleanup(cls.programs.stop_all)
        cls.sound = SoundServer(cls.programs, cls.folder).environment
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.service = cls.world.service
        cls.recording = cls.service.call("POST", "/api/v1/recordings", {"station": "harbour", "seconds": 20, "show": "Kept"})["id"]
        cls.browser = Firefox(environment=cls.sound)
        cls.addClassCleanup(cls.browser.quit)
        cls.page = Page(cls.browser, cls.service).open("/radio")

    def setUp(self):
        self.page.open("/radio", pair=None)

    def tearDown(self):
        self.page.clear()

    def tune(self):
        """By a real click: without one Firefox plays nothing."""
        # All of it in one look: a list may be drawn anew between two.
        row = self.page.until("const rows = [...document.querySelectorAll('station-row')]; return rows.length === 3 && 1 + rows.findIndex((each) => each.station.id === 'nightwave')")
        self.page.click(f"station-row:nth-child({row}) .row-play")
        self.page.until(PHASE, "live")

    def clock(self, kind="live"):
        return self.page.module(f"return p.elements.{kind}.currentTime;")

    def mounts(self):
        return sum(each["connected"] for each in self.service.get("/api/v1/status")["mounts"] if each["station"] == "nightwave")

    def test_live_plays_on_and_is_heard(self):
        self.tune()
        # A fresh Firefox takes a second or two to open its output, whatever plays.
        self.assertTrue(eventually(lambda: self.clock() > 1))
        begun, first = time.monotonic(), self.clock()
        heard = []
        while time.monotonic() - begun < 33:
            samples = capture(self.sound, 1.5)
            heard.append((round(time.monotonic() - begun), round(tone(samples)), round(loudness(samples))))
            self.assertTrue(self.page.run(PHASE, "live"), f"{self.page.state()} after {heard}")
            self.assertTrue(self.page.run("return document.querySelector('mini-player scan-bar').hasAttribute('moving')"), heard)
            time.sleep(1.5)
        gone, played = time.monotonic() - begun, self.clock() - first
        print(f"\n  {played:.1f} s of sound in {gone:.1f} s; heard at: " + ", ".join(f"{at} s {hertz} Hz" for at, hertz, _ in heard))
        self.assertAlmostEqual(played, gone, delta=1)
        self.assertTrue(all(abs(hertz - 440) < 15 and loud > 300 for _, hertz, loud in heard), heard)

    def test_the_latency_of_the_output_is_never_asked(self):
        """Firefox holds the graph's lock while it asks the sound server, which waits for the graph: now and then the page would stop for good."""
        self.page.run("window.asked = 0; Object.defineProperty(AudioContext.prototype, 'outputLatency', {get() { window.asked += 1; return 0; }})")
        self.tune()
        self.assertTrue(eventually(lambda: self.clock() > 1))
        self.assertEqual(self.page.run("return window.asked"), 0)
        # The rule can fail.
        self.assertEqual(self.page.run("new AudioContext().outputLatency; return window.asked"), 1)

    def test_stop_closes_the_connection_and_is_silent(self):
        self.tune()
        self.assertTrue(eventually(lambda: self.mounts() == 1))
        self.page.click("mini-player .mini-main")
        begun = time.monotonic()
        self.assertTrue(eventually(lambda: self.mounts() == 0, within=1, step=0.02), "the connection was not closed within a second")
        print(f"\n  connection closed {time.monotonic() - begun:.2f} s after stop")
        self.page.until(PHASE, "stopped")
        time.sleep(0.5)
        self.assertLess(loudness(capture(self.sound)), 20)
        # Play joins again at the live edge.
        self.page.click("mini-player .mini-main")
        self.page.until(PHASE, "live")
        self.assertLess(self.page.module("const e = p.elements.live; return e.buffered.end(e.buffered.length - 1) - e.currentTime;"), 6)
        # The browser's own pause, as by a headset, is a stop.
        self.page.module("p.elements.live.pause();")
        self.page.until(PHASE, "stopped", within=2)
        self.assertTrue(eventually(lambda: self.mounts() == 0, within=1.5))

    def test_a_recording_plays_pauses_and_seeks(self):
        self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{self.recording}")["state"] == "finished", within=60))
        self.page.open(f"/recordings/{self.recording}", pair=None)
        self.page.click("play-cell button")
        self.page.until(PHASE, "playing")
        self.assertTrue(eventually(lambda: self.clock("recorded") > 1))
        self.assertAlmostEqual(tone(capture(self.sound)), 660, delta=20)
        self.page.module("p.player.seek(12);")
        self.assertTrue(eventually(lambda: 12 <= self.clock("recorded") < 15))
        self.page.run("document.activeElement.blur()")
        self.page.key(" ")
        self.page.until(PHASE, "paused")
        at = self.clock("recorded")
        self.page.module("p.player.skip(-5);")
        self.assertTrue(eventually(lambda: abs(self.clock("recorded") - (at - 5)) < 0.5))
        self.page.module("p.player.setSpeed(1.5); p.player.resume();")
        self.page.until(PHASE, "playing")
        self.assertEqual(self.page.module("const e = p.elements.recorded; return [e.playbackRate, e.preservesPitch];"), [1.5, True])
        # A second in which a busy machine lets the sound break is no measure of its pitch; at a higher one every second is.
        heard = []
        self.assertTrue(eventually(lambda: heard.append(tone(capture(self.sound, 1))) or abs(heard[-1] - 660) < 25, within=6), f"faster, and no higher: {heard}")
        self.page.module("p.player.setSpeed(1);")

    def test_live_has_no_position_for_assistive_programs(self):
        self.tune()
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('live-player .big-play')")
        time.sleep(0.5)
        named = lambda **value: self.browser.nodes(type="accessibility", value=value)
        self.assertEqual(len(named(role="button", name="Stop Night Wave")), 1)
        for role in ("slider", "progressbar", "scrollbar", "timer", "meter", "spinbutton"):
            self.assertEqual(named(role=role), [], role)
        self.assertEqual(named(role="button", name="Pause"), [])
        self.assertEqual(self.page.run("return document.querySelectorAll('audio, video, input[type=range], progress').length"), 0)
        # The rule must be able to fail.
        self.page.run("const bad = document.createElement('div'); bad.setAttribute('role', 'slider'); bad.id = 'bad'; bad.textContent = 'x'; document.querySelector('live-player').append(bad)")
        self.assertEqual(len(named(role="slider")), 1)
        self.page.run("document.getElementById('bad').remove()")

    def test_the_keys_of_the_page(self):
        """The page's own keys; Tab and Enter have a test of their own."""
        self.tune()
        self.page.run("document.activeElement.blur()")
        self.page.key(" ")
        self.page.until(PHASE, "stopped")
        self.page.key(" ")
        self.page.until(PHASE, "live")
        first = self.page.state()["station"]["id"]
        self.page.key("n")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station.id !== arguments[0])", first)
        self.page.key("?")
        self.page.until("return document.querySelector('dialog[data-sheet=keys]')")
        self.page.key("\ue00c")
        self.page.until("return !document.querySelector('dialog')")

    def test_Always_the_focus_is_seen(self):
        """By Tab through screens and the player: every control has the focus once, and each time it can be seen."""
        page = self.page
        page.until("return document.hasFocus()")
        look = "const each = document.activeElement, style = getComputedStyle(each); return [each.outerHTML.slice(0, 100), window.controls?.indexOf(each) ?? -1, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && style.outlineColor !== 'rgba(0, 0, 0, 0)' || each.matches('.swatch input')]"
        for path in ("/", "/radio", "/search", "/library", "/settings", "/recordings", "/recordings/schedules"):
            with self.subTest(path):
                page.open(path, pair=None)
                wanted = page.run("window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea')].filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({visibilityProperty: true}) && !each.closest('[inert]')); return window.controls.length")
                page.run("document.querySelector('main h1').focus()")
                reached = set()
                # Fields of dates and times have several stops inside.
                for _ in range(wanted + 25):
                    page.key("\ue004")
                    if not page.run("return document.hasFocus()"):
                        break  # it has left the page at its end
                    name, index, is_seen = page.run(look)
                    if index >= 0:
                        self.assertTrue(is_seen, f"no visible focus on {name}")
                        reached.add(index)
                # What was drawn anew on the way is another control.
                wanted = page.run("return window.controls.filter((each) => each.isConnected).length")
                # All but the way to skip the navigation, which stands before the beginning.
                self.assertGreaterEqual(len(reached), wanted - 1, f"{len(reached)} of {wanted} were reached")
        # The rule can fail.
        page.open("/radio", pair=None)
        page.run("const bad = document.createElement('button'); bad.textContent = 'bad'; bad.style.setProperty('outline', 'none'); document.querySelector('main h1').after(bad); document.querySelector('main h1').focus()")
        page.key("\ue004")
        self.assertEqual(page.run("return document.activeElement.textContent"), "bad")
        self.assertFalse(page.run(look)[2])
        # Enter presses what has the focus.
        page.run("document.querySelector('station-row .row-play').focus()")
        page.key("\ue007")
        page.until(PHASE, "live")

    def test_without_a_click_it_says_so(self):
        """As Firefox comes: sound waits for a click, and the page tells."""
        fresh = Firefox(environment=self.sound)
        self.addCleanup(fresh.quit)
        page = Page(fresh, self.service).open("/radio", pair=None)
        page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        page.until("return import('/player/core/store.js').then((s) => /click/.test(s.get('player').reason) && s.get('player').phase === 'stopped')")


if __name__ == "__main__":
    unittest.main(verbosity=2)
