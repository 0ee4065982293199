"""What holds on every screen: names, contrast, focus, targets; the keyboard alone; words from strangers."""
import json
import pathlib
import time
import unittest

from selenium.webdriver.common.keys import Keys

from support import Page, WebCase, World, chromium, eventually, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")
SCREENS = ["/", "/radio", "/recordings", "/recordings/schedules", "/recordings/stats", "/search", "/search?q=radio", "/discover", "/library", "/history", "/queue", "/collection", "/settings", "/station/nightwave", "/station/nightwave/settings"]


def checker():
    import axe_playwright_python
    return next(pathlib.Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()


@WEB
class Axe(WebCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service.call("PUT", "/api/v1/stations/nightwave/favourite", {"value": True})
        cls.recording = cls.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 6, "show": "The Morning Desk"})["id"]
        eventually(lambda: cls.service.get(f"/api/v1/recordings/{cls.recording}")["state"] == "finished", within=30)
        cls.axe = checker()

    def violations(self):
        # The checker is no part of the page: it goes in by the debugger, which the page's policy does not bind.
        self.page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": self.axe + "; true"})
        found = self.page.browser.execute_cdp_cmd("Runtime.evaluate", {"awaitPromise": True, "returnByValue": True, "expression": "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}).then((r) => r.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 140) + ' :: ' + n.failureSummary.slice(0, 260)).slice(0, 3)]))"})
        return found["result"].get("value", found)

    def test_Always_every_screen_passes_the_checker(self):
        for path in SCREENS + [f"/recordings/{self.recording}", "/recordings/show/show%3AThe%20Morning%20Desk", "/recordings/filter/new"]:
            with self.subTest(path):
                self.page.open(path, pair=None)
                time.sleep(0.4)
                self.assertEqual(self.violations(), [])

    def test_the_checker_finds_what_is_wrong(self):
        """A control that must fail: else nothing above says anything."""
        self.page.open("/radio", pair=None)
        self.page.run("const bad = document.createElement('button'); bad.className = 'bad'; bad.style.setProperty('color', '#333'); document.querySelector('main').append(bad, Object.assign(document.createElement('p'), {textContent: 'hardly seen', className: 'bad'})); document.querySelector('p.bad').style.setProperty('color', '#30252a')")
        self.assertEqual({id for id, _ in self.violations()}, {"button-name", "color-contrast"})

    def test_Always_players_and_sheets_pass_the_checker(self):
        self.page.open("/radio", pair=None)
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        self.page.module("s.set('full', true);")
        time.sleep(0.8)
        with self.subTest("live player"):
            self.assertEqual(self.violations(), [])
        self.page.module("s.set('full', false);")
        for sheet in ("keys", "sound", "sleep", "pair", "queue", "speed", "effects", "filter", "dial"):
            self.page.module(f"s.set('sheet', {{name: '{sheet}'}});")
            self.page.until("return document.querySelector('dialog[open]')")
            time.sleep(0.5)
            with self.subTest(sheet):
                self.assertEqual(self.violations(), [])
            self.page.module("s.set('sheet', null);")
        self.page.module(f"const {{api}} = await import('/player/core/api.js'); const {{recordings}} = await api.get('recordings'); p.player.listen(recordings[0], 1); s.set('full', true);")
        self.page.until("return document.querySelector('recording-player .title')")
        time.sleep(0.8)
        with self.subTest("recording player"):
            self.assertEqual(self.violations(), [])

    def test_Always_targets_are_large_enough(self):
        for path in SCREENS:
            self.page.open(path, pair=None)
            small = self.page.run("""return [...document.querySelectorAll('button, a[href], input, select')].filter((each) => each.offsetParent && !each.closest('.skip-link, .recents, p, dd, small') && !each.matches('.skip-link, [type=checkbox], [type=radio], .name, .link')).map((each) => {
                const box = each.getBoundingClientRect(), after = getComputedStyle(each, '::after'); const more = after.content === 'none' ? 0 : -parseFloat(after.top || 0) * 2 || 0;
                return [each.outerHTML.slice(0, 90), Math.round(box.width), Math.round(box.height + more)]; }).filter(([, width, height]) => height < 44 || width < 24)""")
            self.assertEqual(small, [], path)


@WEB
class Keyboard(WebCase):
    def tab_to(self, script, limit=80):
        """Tab until the focused element fits; fails where the focus is not to be seen on the way."""
        for _ in range(limit):
            self.page.key(Keys.TAB)
            seen = self.page.run("const each = document.activeElement; const style = getComputedStyle(each); const shown = each.matches('input') ? true : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 || each.matches('.swatch input'); return [shown, each === document.body, each.outerHTML.slice(0, 100)]")
            if not seen[1]:
                self.assertTrue(seen[0], f"no visible focus on {seen[2]}")
            if self.page.run(f"return Boolean(document.activeElement.matches({script!r}))"):
                return
        self.fail(f"never reached {script}")

    def test_Always_everything_by_keyboard(self):
        self.page.open("/radio", pair=None)
        self.page.run("document.querySelector('main h1').focus()")
        self.tab_to("station-row .row-play")
        self.page.key(Keys.ENTER)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        # Space on nothing in particular is stop, then play.
        self.page.run("document.activeElement.blur()")
        self.page.key(Keys.SPACE)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'stopped')")
        self.page.key(Keys.SPACE)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        first = self.page.state()["station"]["id"]
        self.page.key("n")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').station.id !== arguments[0])", first)
        self.page.key("p")
        self.page.until(f"return import('/player/core/store.js').then((s) => s.get('player').station.id === '{first}')")
        self.page.key(Keys.ARROW_DOWN)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('volume') === 95)")
        self.page.key(Keys.ARROW_UP)
        self.page.key(Keys.ARROW_RIGHT)
        self.assertNotIn("position", {key: value for key, value in self.page.state().items() if value is not None and key == "position"})
        loved = lambda: self.service.get(f"/api/v1/stations/{first}")["favourite"]
        before = loved()
        self.page.key("f")
        self.assertTrue(eventually(lambda: loved() != before))
        self.page.key("?")
        self.page.until("return document.querySelector('dialog[data-sheet=keys]')")
        self.page.key(Keys.ESCAPE)
        self.page.until("return !document.querySelector('dialog')")
        self.page.key("/")
        self.page.until("return document.activeElement.matches('input[type=search]')")
        self.page.key("n")
        self.assertEqual(self.page.run("return document.activeElement.value"), "n", "a letter in a field is a letter")
        self.page.run("document.activeElement.blur()")
        self.tab_to("mini-player .mini-open")
        self.page.key(Keys.ENTER)
        self.page.until("return document.activeElement.closest('full-player')")
        self.tab_to("live-player .big-play")
        self.page.key(Keys.ESCAPE)
        self.page.until("return document.activeElement.matches('.mini-open')")
        for link in ("for-you", "radio", "recordings", "search", "library"):
            self.tab_to(f"tab-bar a[data-tab={link}]")
        self.page.key(Keys.ENTER)
        self.page.until("return document.querySelector('main h1').textContent === 'Library'")


    def test_Always_every_screen_can_be_walked(self):
        """Tab reaches every control of every screen, each with a focus that can be seen, and comes out at the end."""
        self.service.call("PUT", "/api/v1/stations/nightwave/favourite", {"value": True})
        recording = self.service.call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 5, "show": "The Morning Desk"})["id"]
        eventually(lambda: self.service.get(f"/api/v1/recordings/{recording}")["state"] == "finished", within=30)
        self.service.call("PUT", "/api/v1/queue", {"recordings": [recording]})
        for path in SCREENS + [f"/recordings/{recording}", "/recordings/show/show%3AThe%20Morning%20Desk", "/recordings/filter/new"]:
            with self.subTest(path):
                self.page.open(path, pair=None)
                time.sleep(0.3)
                wanted = self.page.run(self.CONTROLS)
                self.page.run("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); scrollTo(0, 0)")
                reached, hidden = set(), []
                for _ in range(len(wanted) + 40):
                    self.page.key(Keys.TAB)
                    name, is_seen, text = self.page.run(self.NAME + "const each = document.activeElement, style = getComputedStyle(each); return [nameOf(each), each === document.body || each.matches('input, textarea, select') || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, each.outerHTML.slice(0, 100)]")
                    reached.add(name)
                    if not is_seen:
                        hidden.append(text)
                    if reached >= set(wanted):
                        break
                self.assertEqual(set(wanted) - reached, set())
                self.assertEqual(hidden, [])
                self.assertTrue(self.comes_out(wanted), "the focus does not come out at the end")

    def comes_out(self, wanted):
        """Tab leads from the last control out of the page, or to the first again."""
        for _ in range(len(wanted) + 5):
            self.page.key(Keys.TAB)
            if self.page.run(self.NAME + "const each = document.activeElement; return each === document.body || nameOf(each) === arguments[0]", wanted[0]):
                return True
        return False

    NAME = "const nameOf = (each) => [each.tagName, each.getAttribute('aria-label') ?? each.textContent.slice(0, 80), each.name ?? '', each.getAttribute('href') ?? ''].join(' ');"
    # The controls that Tab must reach: of radio buttons of one group, one.
    CONTROLS = NAME + """const groups = new Set();
        const found = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((each) => {
            if (each.disabled || each.tabIndex < 0 || !each.checkVisibility({visibilityProperty: true}) || each.closest('[inert]')) return false;
            if (each.type !== 'radio') return true;
            return !groups.has(each.name) && groups.add(each.name) && Boolean(each.checked || !document.querySelector(`[name="${each.name}"]:checked`));
        });
        return found.map(nameOf);"""


HOSTILE = [
    "<img src=x onerror=\"window.owned=1\">", "</script><script>window.owned=2</script>", "\"><svg/onload=window.owned=3>", "javascript:window.owned=4",
    "{{constructor.constructor('window.owned=5')()}}", "\u202egnp.exe\u202c \u2066abc\u2069", "A" * 1400 + " - " + "B" * 1400, "\u0000\u0007\u001b[31mred", "ＷＩＤＥ — 日本語 العربية עברית",
]


LONG = ["W" * 4096, "slow\u0301 " * 800, "\u202e" + "abc " * 1000, "日本" * 700, "<b>" * 1300, "a\u0300" * 1500]


@WEB
class Hostile(unittest.TestCase):
    WIDE = "return [document.documentElement.scrollWidth, ...[...document.querySelectorAll('main *, full-player[open] *, .dock *')].filter((each) => each.offsetParent && !each.closest('.chips, .shelf, .rail, scan-bar') && each.getBoundingClientRect().right > innerWidth + 1 && !clipped(each)).map((each) => each.outerHTML.slice(0, 120))]; function clipped(each) { for (let at = each.parentElement; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== 'visible' && at.getBoundingClientRect().right <= innerWidth + 1) return true; return false; }"

    def test_Always_four_kilobytes_change_nothing_but_text(self):
        """Titles, names of stations, shows and devices of 4 KB at 360 px: nothing moves out of the screen, nothing is lost."""
        names = "".join(f'\n[[station]]\nid = "long{index}"\nname = {toml(name[:200])}\nurls = ["http://127.0.0.1:1/x"]\nlocal = true\ngenre = {toml(name[:400])}\nmarket = {toml(name[:400])}\nfrequency = {toml(name[:400])}\n' for index, name in enumerate(LONG))
        world = World(more_stations=names)
        self.addCleanup(world.close)
        browser = chromium(360, 740)
        self.addCleanup(browser.quit)
        page = Page(browser, world.service).open()
        call = world.service.call
        recordings = [call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 4, "show": name[:200]})["id"] for name in LONG[:3]]
        call("PUT", "/api/v1/filters/long", {"name": LONG[0][:200], "colour": 2, "icon": "star", "rules": {"state": "new"}})
        page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null); s.set('full', true);")
        page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        for title in LONG:
            # The station's own server cuts titles at about 4 KB; as much of ours as came is shown whole.
            # In one turn: the page itself goes on telling what is really heard.
            shown = page.module(f"const text = {json.dumps(title)}, wide = () => {{ {self.WIDE} }}; s.set('heard', {{text, title: text, artist: text, class: 'track', since: new Date().toISOString(), station: 'nightwave'}}); const answer = [document.querySelector('live-player .now-airing').textContent, wide()]; s.set('full', false); answer.push(wide()); s.set('full', true); return answer;")
            self.assertEqual(shown, [title, [360], [360]], title[:20])
        page.module("s.set('full', false);")
        for id in recordings:
            eventually(lambda: call("GET", f"/api/v1/recordings/{id}")["state"] == "finished", within=30)
        call("PUT", "/api/v1/queue", {"recordings": recordings})
        for path in ("/", "/radio", "/search?q=slow", "/station/long0", "/station/long1", "/station/long0/settings", "/recordings", f"/recordings/{recordings[0]}", "/recordings/filter/long", "/queue", "/library", "/history", "/discover", "/settings"):
            page.open(path, pair=None)
            time.sleep(0.3)
            self.assertEqual(page.run(self.WIDE), [360], path)
        page.module(f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{recordings[0]}'), 0); s.set('full', true);")
        page.until("return document.querySelector('recording-player .title')")
        time.sleep(0.5)
        self.assertEqual(page.run(self.WIDE), [360], "the recording player")
    def test_Always_hostile_words_change_nothing_but_text(self):
        names = "\n".join(f'[[station]]\nid = "bad{index}"\nname = {toml(name)}\nurls = ["http://127.0.0.1:1/x"]\nlocal = true\ngenre = {toml(name[:100])}\nhomepage = "javascript:window.owned=9"\n' for index, name in enumerate(HOSTILE) if "\u0000" not in name and len(name) < 400)
        world = World(more_stations=names)
        self.addCleanup(world.close)
        browser = chromium()
        self.addCleanup(browser.quit)
        page = Page(browser, world.service).open()
        page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null); s.set('full', true);")
        page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        before = page.run("return document.querySelectorAll('live-player *').length - document.querySelectorAll('live-player .recent *').length")
        for title in HOSTILE:
            world.icecast.title("nightwave", title.replace("\u0000", ""))
            time.sleep(2.2)
            self.assertIsNone(page.run("return window.owned ?? null"), title[:40])
            self.assertEqual(page.run("return document.querySelectorAll('live-player script, live-player img:not(.tile img), live-player iframe').length"), 0)
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), 390, title[:40])
            after = page.run("return document.querySelectorAll('live-player *').length - document.querySelectorAll('live-player .recent *').length")
            self.assertEqual(after, before, title[:40])
        page.until("return document.querySelector('live-player .recent').textContent.includes('onerror')")
        page.module("s.set('full', false);")
        for path in ("/radio", "/search?q=owned", "/discover", "/station/bad0", "/history"):
            page.open(path, pair=None)
            time.sleep(0.4)
            self.assertIsNone(page.run("return window.owned ?? null"), path)
            self.assertEqual(page.run("return [...document.querySelectorAll('a')].filter((each) => /^javascript:/i.test(each.getAttribute('href') ?? '')).length"), 0, path)
            self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), 390, path)
        self.assertEqual([each for each in page.console() if each["source"] == "security"], [])


def toml(text):
    return '"' + "".join(letter if letter.isprintable() and letter not in '"\\' else f"\\u{ord(letter):04X}" for letter in text) + '"'


if __name__ == "__main__":
    unittest.main(verbosity=2)
