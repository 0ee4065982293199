"""Settings (UI-S7): a station's own, guests, tokens, schedules, storage; and the lower quality of a thin line (UI-L10)."""
import http.client
import json
import socket
import time
import unittest

from support import Page, WebCase, World, chromium, eventually, needs

def network_address():
    """An address of this machine that is not loopback's, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))  # nothing is sent
            address = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address


WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")


@WEB
class Settings(WebCase):
    settings = '[logger]\nkeep_age = "30d"\n'

    def section(self, title):
        self.page.until("return [...document.querySelectorAll('main .section h2')].some((each) => each.textContent === arguments[0])", title)
        return f"[...document.querySelectorAll('main .section')].find((each) => each.querySelector('h2')?.textContent === {json.dumps(title)})"

    def test_UI_S7_a_stations_own_settings(self):
        self.page.open("/station/kestrel", pair=None)
        self.page.run("[...document.querySelectorAll('main a.pill')].find((each) => each.textContent === 'Settings').click()")
        self.page.until("return document.querySelector('form.station-settings')")
        self.page.run("const form = document.querySelector('form.station-settings'); form.elements.charset.value = 'windows-1251'; form.elements.titles.value = 'swap\\nadvert *sponsored by*'; form.elements.gain.value = '-3.5'; form.elements.window.value = '2h'; form.requestSubmit()")
        self.page.until("return document.querySelector('toast-host').textContent.includes('changed')")
        settings = lambda: self.service.get("/api/v1/stations/kestrel/settings")
        found = settings()["settings"]
        self.assertEqual((found["charset"], sorted(found["titles"]), found["gain"], found["window"]), ("windows-1251", ["advert *sponsored by*", "swap"], -3.5, "2h"))
        self.assertEqual(settings()["edited"], ["charset", "gain", "titles", "window"])
        # The rules hold at once: the next title is read by them.
        self.page.module("p.player.tune({id: 'kestrel', name: 'Kestrel 1010'}, null);")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')")
        self.icecast.title("kestrel", "Blue Lantern - Ella Marlowe")
        now = lambda: self.service.get("/api/v1/stations/kestrel/now")["now"] or {}
        self.assertTrue(eventually(lambda: now().get("artist") == "Ella Marlowe"), now())
        # A value that cannot be is refused with its reason, and nothing is lost.
        self.page.open("/station/kestrel/settings", pair=None)
        self.page.run("const form = document.querySelector('form.station-settings'); form.elements.window.value = 'soon'; form.requestSubmit()")
        self.page.until("return document.querySelector('toast-host .error')?.textContent.includes('window')")
        self.assertEqual(settings()["settings"]["window"], "2h")
        # Taken back, the station is what its file says.
        self.page.run("[...document.querySelectorAll('form .pill')].find((each) => each.textContent.includes('back')).click()")
        self.assertTrue(eventually(lambda: settings()["edited"] == []))
        self.assertNotIn("gain", settings()["settings"])

    def guest(self, path, **headers):
        """What a device on the network is answered."""
        connection = http.client.HTTPConnection(self.network, self.service.port, timeout=5)
        connection.request("GET", path, headers=headers)
        status = connection.getresponse().status
        connection.close()
        return status

    @unittest.skipUnless(network_address(), "this machine has no address but loopback's")
    def test_UI_S7_guests(self):
        self.network = network_address()
        token = self.service.call("POST", "/api/v1/tokens", {"name": "radio", "role": "listener"})
        self.service.stop()
        self.service.words = [word.replace("127.0.0.1:", "0.0.0.0:") for word in self.service.words]
        self.service.start()
        self.addCleanup(lambda: self.service.call("DELETE", f"/api/v1/tokens/{token['id']}"))
        self.assertEqual(self.guest("/nightwave"), 401)
        self.assertEqual(self.guest("/nightwave", Authorization=f"Bearer {token['token']}"), 200)
        self.page.open("/settings", pair=None)
        box = self.section("Sharing")
        self.page.until(f"return {box}?.querySelector('[name=guests]')")
        self.assertNotIn("null", self.page.run(f"return {box}.textContent"))
        self.page.run(f"{box}.querySelector('[name=guests]').click()")
        self.assertTrue(eventually(lambda: self.guest("/nightwave") == 200))
        self.assertEqual(self.guest("/api/v1/status"), 404, "guests hear stations; the rest is not there for them")
        # It holds over a restart.
        self.service.stop()
        self.service.start()
        self.assertEqual(self.guest("/nightwave"), 200)
        self.page.open("/settings", pair=None)
        self.page.until(f"return {box}?.querySelector('.pill')")
        self.page.run(f"{box}.querySelector('.pill').click()")
        self.assertTrue(eventually(lambda: self.guest("/nightwave") == 401))

    def test_UI_S7_tokens_schedules_storage(self):
        self.page.open("/settings", pair=None)
        box = self.section("Tokens")
        self.page.until(f"return {box}?.querySelector('form')")
        self.page.run(f"const form = {box}.querySelector('form'); form.elements.token.value = 'kitchen <b>'; form.elements.role.value = 'listener'; form.requestSubmit()")
        token = self.page.until(f"return {box}.querySelector('.token')?.textContent")
        self.page.until(f"return {box}.querySelector('.plain-list strong')?.textContent === 'kitchen <b>'")
        made = self.service.get("/api/v1/tokens")["tokens"][0]
        self.assertEqual((made["name"], made["role"], token.split(".")[0]), ("kitchen <b>", "listener", "ac_" + made["id"]))
        self.page.run(f"{box}.querySelector('.plain-list button').click()")
        self.assertTrue(eventually(lambda: self.service.get("/api/v1/tokens")["tokens"] == []))
        self.page.until(f"return {self.section('Schedules')}.querySelector('a[href$=\"/recordings/schedules\"]')")
        storage = self.page.until(f"return {self.section('Storage and retention')}.querySelector('.facts')?.textContent")
        self.assertIn("never deleted", storage)
        self.assertIn("Version", self.page.until(f"return {self.section('About')}.querySelector('.facts')?.textContent"))

    def test_Always_the_focus_stays_where_a_list_or_a_form_is_drawn_anew(self):
        press = "const found = [...document.querySelectorAll('main button')].find((each) => (each.getAttribute('aria-label') ?? each.textContent) === arguments[0]); found?.focus(); found?.click(); return found"
        held = "return document.activeElement.isConnected && (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent) === arguments[0]"
        made = [self.service.call("POST", "/api/v1/tokens", {"name": name, "role": "listener"})["id"] for name in ("kitchen", "bath")]
        self.addCleanup(self.service.call, "DELETE", f"/api/v1/tokens/{made[1]}")
        self.page.open("/settings", pair=None)
        self.page.until("return [...document.querySelectorAll('main .plain-list strong')].some((each) => each.textContent === 'bath')")
        self.page.until(press, "Forget kitchen")
        self.page.until(held, "Forget bath")
        self.addCleanup(self.service.call, "DELETE", "/api/v1/stations/harbour/settings")
        self.page.open("/station/harbour/settings", pair=None)
        self.page.until("const field = document.querySelector('form.station-settings')?.elements.gain; if (field) field.value = '-1'; return field")
        self.page.until(press, "Save")
        self.page.until("return document.querySelector('form.station-settings')?.textContent.includes('Changed here.')")
        self.page.until(held, "Save")
        self.page.open("/history", pair=None)
        self.page.until(press, "Pause history")
        self.page.until(held, "Write history again")
        self.page.until(press, "Write history again")
        self.page.until(held, "Pause history")


@WEB
class Schedules(WebCase):
    settings = '[recording]\npadding_before = "2m"\npadding_after = "90s"\n'

    def tearDown(self):
        super().tearDown()
        for entry in self.stored():
            self.service.call("DELETE", f"/api/v1/schedules/{entry['id']}")

    def stored(self):
        return self.service.get("/api/v1/schedules")["schedules"]

    def live_in(self, zone):
        self.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTimezoneOverride", {"timezoneId": ""})

    def form(self, **values):
        self.page.open("/recordings/schedules", pair=None)
        self.page.until("return document.querySelector('.schedule-form')")
        self.fill(**values)

    def fill(self, **values):
        self.page.run("const form = document.querySelector('.schedule-form'); for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value; form.dispatchEvent(new Event('input'))", values)

    def preview(self, begins):
        return self.page.until("const text = document.querySelector('.preview').textContent; return text.startsWith(arguments[0]) && text", begins)

    def add(self):
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        return eventually(self.stored)[0]

    def listed(self, words):
        return self.page.until("const text = [...document.querySelectorAll('main .plain-list li')].find((each) => each.querySelector('input'))?.querySelector('small').textContent; return text?.includes(arguments[0]) && text", words)

    def test_UI_S7_a_schedule_made_elsewhere_is_shown_and_goes_when_it_does(self):
        self.page.open("/recordings/schedules", pair=None)
        made = self.service.call("POST", "/api/v1/schedules", {"name": "Made elsewhere", "station": "kestrel", "at": "2031-01-01 07:00", "seconds": 3600})
        shown = "return [...document.querySelectorAll('main .plain-list li')].some((each) => each.textContent.includes('Made elsewhere'))"
        self.page.until(shown)
        self.service.call("DELETE", f"/api/v1/schedules/{made['id']}")
        self.page.until(shown.replace("return ", "return !"))

    def test_UI_S7_a_schedule_records_when_its_preview_says_in_whatever_zone_the_browser_is(self):
        self.live_in("Europe/Berlin")
        self.form(station="kestrel", repeats="daily", time="20:00", end="21:00")
        self.assertIn("08:00 PM", self.preview("Next:"))
        made = self.add()
        self.assertEqual((made["zone"], made["start"][11:16]), ("Europe/Berlin", "20:00"))
        self.assertIn("08:00 PM", self.listed("next"))
        self.assertNotIn("Berlin", self.listed("next"))
        # Elsewhere it is told whose clock that is, and its dates are those of that clock.
        self.live_in("America/New_York")
        self.page.open("/recordings/schedules", pair=None)
        listed = self.listed("20:00 in Europe/Berlin")
        self.page.run("document.querySelector('main .plain-list .edit').click()")
        self.page.until("return document.querySelector('.schedule-form').textContent.includes('Europe/Berlin')")
        self.assertIn(self.preview("Next:")[6:], listed)

    def test_UI_S7_the_form_shows_the_dates_that_the_service_plans(self):
        first = self.page.wait("const date = new Date(); date.setDate(date.getDate() + 1); while (date.getDay() !== 2) date.setDate(date.getDate() + 1); done(date.toISOString().slice(0, 10))")
        self.form(station="kestrel", repeats="rule", date=first, time="20:00", end="21:00", rule="FREQ=MONTHLY;BYDAY=1SA")
        shown = self.preview("Next: Sat")
        self.fill(rule="FREQ=SOMETIMES")
        self.assertNotIn("Next", self.preview("No dates:"))
        self.fill(rule="FREQ=MONTHLY;BYDAY=1SA")
        self.preview("Next: Sat")
        self.add()
        listed = self.listed("next")
        self.assertIn(shown[6:], listed)
        self.assertIn("the first Sat of the month", listed)
        self.fill(repeats="once", date="2020-01-01")
        self.preview("That time is over.")

    def test_UI_S7_where_no_minutes_are_said_those_of_the_settings_count_and_the_form_says_which(self):
        hint = "return document.querySelector('.schedule-form .hint:not([hidden])')?.textContent ?? ''"
        fields = lambda: self.page.run("return ['before', 'after'].map((name) => [document.querySelector('.schedule-form').elements[name].value, document.querySelector('.schedule-form').elements[name].placeholder])")
        self.form(station="kestrel", repeats="daily", time="20:00", end="21:00")
        self.page.until(hint + ".includes('2 earlier, 1.5 later')")
        self.assertEqual(fields(), [["", "2"], ["", "1.5"]])
        paddings = lambda: {entry["name"]: (entry["pad_before"], entry["pad_after"]) for entry in self.stored()}
        expected = {}
        for said, stored in (({"name": "None"}, (120, 90)), ({"name": "One", "before": "0"}, (0, 90)), ({"name": "Both", "before": "1", "after": "0"}, (60, 0)), ({"name": "Played", "action": "play", "before": "", "after": ""}, (0, 0))):
            self.fill(**said)
            self.add()
            expected[said["name"]] = stored
            self.assertTrue(eventually(lambda: paddings() == expected), paddings())
        self.assertEqual((self.page.run(hint), fields()), ("", [["", "0"], ["", "0"]]))
        # One that is there keeps its own, whatever the settings are.
        self.page.until("const edit = document.querySelector('main .plain-list [aria-label=\"Change One\"]'); edit?.click(); return edit")
        self.page.until("return document.querySelector('.schedule-form .outline')")
        self.assertEqual([value for value, _ in fields()], ["0", "1.5"])
        self.assertEqual(self.page.run(hint), "")
        self.fill(name="One more")
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        self.assertTrue(eventually(lambda: paddings().get("One more") == (0, 90)), paddings())

    def test_UI_S7_a_schedule_is_changed_in_the_form(self):
        self.service.call("POST", "/api/v1/schedules", {"station": "kestrel", "name": "Early", "at": "2026-01-05 06:30", "rule": "FREQ=WEEKLY;BYDAY=MO,WE,FR", "seconds": 5400, "zone": "Etc/UTC", "pad_after": 90, "keep": True, "template": "kept/{date}"})
        self.page.open("/recordings/schedules", pair=None)
        self.assertNotIn("FREQ", self.listed("Mon, Wed and Fri"))
        self.page.run("document.querySelector('main .plain-list .edit').click()")
        self.assertEqual(self.page.run("const form = document.querySelector('.schedule-form'); return [...['station', 'name', 'repeats', 'time', 'end', 'after'].map((name) => form.elements[name].value), form.elements.keep.checked, form.querySelectorAll('.chip[aria-pressed=true]').length]"), ["kestrel", "Early", "weekly", "06:30", "08:00", "1.5", True, 3])
        before = self.stored()[0]
        self.fill(name="Earlier")
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        self.assertTrue(eventually(lambda: self.stored()[0]["name"] == "Earlier"))
        same = lambda entry: {key: value for key, value in entry.items() if key not in ("name", "next")}
        self.assertEqual(same(self.stored()[0]), same(before), "what was not touched stays")
        self.page.until("return document.activeElement.matches('.edit') && document.activeElement.getAttribute('aria-label') === 'Change Earlier'")
        # Its beginning takes no end along that was left where it is; and it can be taken back.
        self.page.run("document.activeElement.click()")
        self.fill(time="05:30", repeats="daily")
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        self.assertTrue(eventually(lambda: self.stored()[0]["rule"] == "FREQ=DAILY"))
        self.assertEqual((self.stored()[0]["start"][11:16], self.stored()[0]["until"][11:16]), ("05:30", "08:00"))
        self.listed("every day")
        self.page.click("toast-host .text-button")
        self.assertTrue(eventually(lambda: (self.stored()[0]["rule"], self.stored()[0]["start"][11:16]) == ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "06:30")), self.stored())
        # Also the day it begins on, and a length that was an end before.
        self.page.until("return document.querySelector('main .plain-list .edit')")
        time.sleep(1)
        self.page.run("document.querySelector('main .plain-list .edit').click()")
        self.fill(repeats="once", date="2031-12-24", end="06:30")
        self.page.run("document.querySelector('.schedule-form').requestSubmit()")
        self.assertTrue(eventually(lambda: self.stored()[0]["start"].startswith("2031-12-24") and self.stored()[0]["seconds"] == 86_400), self.stored())
        self.page.until("return document.querySelector('toast-host').textContent.includes('Changed')")
        self.page.click("toast-host .text-button")
        self.assertTrue(eventually(lambda: same(self.stored()[0]) == same(before)), (self.stored(), before))


@WEB
class Storage(unittest.TestCase):
    def test_UI_L10_a_disk_that_is_nearly_full_is_told(self):
        """By the room that recordings need, as the settings say it: first a warning, then that nothing new begins, or that recordings pause."""
        import shutil
        for setting, need, kind, said, words in (
            ("free_for_new", -500_000_000, "warning", (True, False, False), ("The disk is nearly full: ", "No recording begins below")),
            ("free_for_new", 500_000_000, "error", (True, True, False), ("The disk is nearly full: ", "No recording begins below")),
            ("free_for_all", -500_000_000, "warning", (True, False, False), ("The disk is nearly full: ",)),
            ("free_for_all", 500_000_000, "error", (True, False, True), ("The disk is full: ", "Recordings pause below")),
        ):
            with self.subTest(setting, need=need):
                free = shutil.disk_usage("/tmp").free
                world = World(settings=f'[recording]\n{setting} = "{(free + need) // 1024} KiB"\n')
                self.addCleanup(world.close)
                storage = world.service.get("/api/v1/storage")
                self.assertEqual((storage["low"], storage["refuses_new"], storage["pauses"]), said)
                browser = chromium()
                self.addCleanup(browser.quit)
                page = Page(browser, world.service).open("/radio")
                page.until("return document.querySelector('[data-banner=storage]')", within=15)
                self.assertTrue(page.run("return document.querySelector('[data-banner=storage]').classList.contains(arguments[0])", kind))
                text = page.run("return document.querySelector('[data-banner=storage]').textContent")
                for each in words:
                    self.assertIn(each, text)
                self.assertRegex(text, r"\d [GT]B free")
                page.click("[data-banner=storage] a")
                page.until("return document.querySelector('main h1').textContent === 'Settings'")

    def test_with_room_nothing_is_said(self):
        world = World(settings='[recording]\nfree_for_new = "1 MiB"\nfree_for_all = "1 MiB"\n')
        self.addCleanup(world.close)
        self.assertFalse(world.service.get("/api/v1/storage")["low"])
        browser = chromium()
        self.addCleanup(browser.quit)
        page = Page(browser, world.service).open("/radio")
        page.until("return import('/player/core/store.js').then((s) => s.get('storage')?.low === false)", within=15)
        self.assertEqual(page.run("return [...document.querySelectorAll('.banner')].map((each) => each.dataset.banner)"), [])


@WEB
class Guests(unittest.TestCase):
    """Whoever may listen and no more: no control is shown that would be refused, and how to come by more is said."""

    VISIBLE = "each.checkVisibility({visibilityProperty: true}) && !each.closest('[inert]')"

    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.service = cls.world.service

    def setUp(self):
        self.browser = chromium()
        self.addCleanup(self.browser.quit)
        self.page = Page(self.browser, self.service)

    @unittest.skipUnless(network_address(), "this machine has no address but loopback's")
    def test_a_guest_of_the_network_has_a_page_of_stations(self):
        self.service.stop()
        words = self.service.words
        self.addCleanup(setattr, self.service, "words", words)
        self.service.words = [word.replace("127.0.0.1:", "0.0.0.0:") for word in words] + ["--open"]
        self.service.start()
        root = f"http://{network_address()}:{self.service.port}"
        self.browser.get(root + "/")
        self.page.until("return document.querySelectorAll('main station-row').length === 3")
        self.assertEqual(self.page.run("return location.pathname"), "/player/")
        self.assertIn("This address is for listening", self.page.run("return document.querySelector('main').textContent"))
        self.assertIn("aircheck pair", self.page.run("return document.querySelector('main').textContent"))
        shown = lambda: self.page.run(f"return [...document.querySelectorAll('button, a[href], input, select')].filter((each) => {self.VISIBLE} && !each.matches('.skip-link')).map((each) => each.getAttribute('aria-label') ?? each.textContent)")
        self.assertEqual(sorted(shown()), sorted(f"Listen to {name}" for name in ("Night Wave", "Harbour Radio", "Kestrel 1010")))
        # It plays, the title is told, and the player has nothing that is not for guests.
        self.page.click("station-row .row-play")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live')", within=15)
        self.page.until("return import('/player/core/player.js').then((p) => p.elements.live.currentTime > 0.5)")
        id = self.page.run("return document.querySelector('station-row').station.id")
        self.world.icecast.title(id, "Ella Marlowe - Blue Lantern")
        self.page.until("return document.querySelector('station-row .sub').textContent.includes('Blue Lantern')", within=25)
        # Who comes back in the middle of a song is told what it is, and the next one before it is heard.
        self.page.module("p.player.stop();")
        self.page.click("station-row .row-play")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live' && s.get('heard')?.text === 'Ella Marlowe - Blue Lantern')", within=15)
        self.page.module("window.times = {}; s.watch('airing', (airing) => { if ([...airing.values()].some((each) => each.text.includes('Second Lantern'))) window.times.known ??= Date.now(); }); const row = document.querySelector('station-row .sub'); new MutationObserver(() => { if (row.textContent.includes('Second Lantern')) window.times.shown ??= Date.now(); }).observe(row, {subtree: true, childList: true, characterData: true});")
        self.world.icecast.title(id, "Ella Marlowe - Second Lantern")
        times = self.page.until("return window.times.shown && window.times", within=15)
        print(f"\n  a guest's page knew the title {times['shown'] - times['known']} ms before it showed it")
        self.assertGreater(times["shown"] - times["known"], 300)
        self.page.module("s.set('full', true);")
        self.page.until("return document.querySelector('full-player').hasAttribute('open') && document.querySelector('live-player .call-sign')")
        name = self.page.run("return document.querySelector('station-row').station.name")
        self.assertEqual(set(shown()), {"Close the player", "More", "Previous station", f"Stop {name}", "Next station", "Sleep timer", "Settings"})
        self.page.click("live-player [aria-label=More]")
        self.page.until("return document.querySelector('dialog .menu')")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('dialog .menu button')].map((each) => each.textContent)"), ["Share", "Close the player"])
        self.page.module("s.set('sheet', null); s.set('full', false);")
        # Every address of the page is this one; nothing asks to pair, nothing says that the service is away.
        self.browser.get(root + "/player/recordings")
        self.page.until("return document.querySelectorAll('main station-row').length === 3")
        time.sleep(2)
        self.assertEqual(self.page.run("return document.querySelectorAll('dialog, .banner, .toast').length"), 0)
        self.service.stop()
        self.service.words = words
        self.service.start()

    def test_whoever_may_see_nothing_pairs_on_the_page_itself(self):
        """Without reading from this machine an unpaired browser is a guest; a code makes it the page of the house at once."""
        world = World(settings="[server]\nloopback_reads = false\n")
        self.addCleanup(world.close)
        self.page.service = world.service
        self.browser.get(world.service.address + "/player/library")
        self.page.until("return document.querySelectorAll('main station-row').length === 3 && document.querySelector('main form [name=code]')")
        self.assertEqual(self.page.run(f"return [...document.querySelectorAll('tab-bar a')].filter((each) => {self.VISIBLE}).length"), 0)
        self.page.run("const form = document.querySelector('main form'); form.elements.code.value = arguments[0]; form.requestSubmit()", world.service.code("operator"))
        self.page.until("return document.querySelector('main h1').textContent === 'Library' && document.querySelector('tab-bar a').checkVisibility()")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('status')?.version && s.get('online'))")

    def test_a_browser_that_chose_there_and_is_a_guest_now_plays_here(self):
        world = World(settings="[server]\nloopback_reads = false\n")
        self.addCleanup(world.close)
        self.page.service = world.service
        self.browser.get(world.service.address + "/player/")
        self.page.until("return document.querySelectorAll('main station-row').length === 3")
        self.page.run("localStorage.setItem('aircheck.where', '\"there\"')")
        self.browser.get(world.service.address + "/player/")
        self.page.until("return document.querySelectorAll('main station-row').length === 3")
        self.page.click("station-row .row-play")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('player').where === 'here' && s.get('player').phase === 'live')", within=15)

    def test_UI_S2_a_pairing_link_pairs_a_tab_that_is_open_already(self):
        self.page.open("/radio", pair="viewer")
        role = "return import('/player/core/store.js').then((s) => s.get('session').role === arguments[0])"
        self.page.until(role, "viewer")
        self.page.run("window.isSame = true; location.hash = 'pair=' + arguments[0]", self.service.code("operator"))
        self.page.until(role, "operator")
        self.assertEqual(self.page.run("return [window.isSame, location.hash, location.pathname]"), [True, "", "/player/radio"])

    def test_UI_S7_what_a_browser_may_is_known_in_all_its_tabs(self):
        role = "return import('/player/core/store.js').then((s) => s.get('session').role === arguments[0])"
        self.page.open("/radio", pair="viewer")
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.page.open("/radio", pair="operator")
        second = self.browser.current_window_handle
        self.browser.switch_to.window(first)
        self.page.until(role, "operator")
        # Forgotten at the service, it knows so with the first thing that is refused.
        session = self.page.wait("fetch('/api/v1/session').then((answer) => answer.json()).then(({id}) => done(id))")
        self.service.call("DELETE", f"/api/v1/sessions/{session}")
        self.page.module("const {setFavourite} = await import('/player/core/actions.js'); await setFavourite({id: 'harbour', name: 'Harbour Radio'}, true);")
        self.page.until(role, "viewer")
        self.browser.switch_to.window(second)
        self.browser.close()
        self.browser.switch_to.window(first)

    def test_a_viewer_finds_no_dead_button(self):
        """Every button of every screen is pressed; nothing is refused. How to pair is said once, and can be put away."""
        call = self.service.call
        made = [call("POST", "/api/v1/recordings", {"station": "kestrel", "seconds": 5, "show": "The Morning Desk"})["id"] for _ in range(2)]
        for id in made:
            self.assertTrue(eventually(lambda: self.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=40))
        call("PUT", "/api/v1/queue", {"recordings": made})
        call("PUT", "/api/v1/stations/nightwave/favourite", {"value": True})
        call("PUT", "/api/v1/stations/harbour/preset", {"number": 2})
        call("POST", "/api/v1/watches", {"words": "Ella Marlowe", "action": "record"})
        call("POST", f"/api/v1/recordings/{made[0]}/bookmarks", {"seconds": 2, "note": "here"})
        refusals = "window.refused = []; const real = window.fetch; window.fetch = async (...asked) => { const answer = await real(...asked); if (answer.status === 401 || answer.status === 403) window.refused.push([asked[1]?.method, String(asked[0])]); return answer; };"
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": refusals})
        self.page.open("/radio", pair="viewer")
        self.page.until("return document.querySelector('[data-banner=pair]')")
        self.page.click("[data-banner=pair] .text-button")
        self.page.until("return document.querySelector('dialog[data-sheet=pair] code')?.textContent === 'aircheck pair'")
        self.page.module("s.set('sheet', null);")
        self.page.click("[data-banner=pair] [aria-label=Dismiss]")
        self.page.until("return !document.querySelector('[data-banner=pair]')")
        press = f"const found = [...document.querySelectorAll('main button, main input[type=checkbox], full-player button, mini-player button, dialog .menu button')].filter((each) => {self.VISIBLE} && !each.disabled); for (const each of found) each.click(); return found.length"
        for path in ("/", "/radio", "/recordings", f"/recordings/{made[0]}", "/recordings/show/show%3AThe%20Morning%20Desk", "/recordings/filter/new", "/recordings/schedules", "/library", "/history", "/collection", "/queue", "/station/nightwave", "/discover"):
            with self.subTest(path):
                self.page.open(path, pair=None)
                time.sleep(0.5)
                self.page.run(press)
                time.sleep(0.7)
                self.assertEqual(self.page.run("return window.refused"), [])
                self.assertEqual(self.page.run(f"return [...document.querySelectorAll('[data-needs=operator]')].filter((each) => {self.VISIBLE}).length"), 0)
                self.assertFalse(self.page.run("return document.querySelector('dialog[data-sheet=pair]') !== null"))
        # What a viewer may do of a recording stands in the menu of its row.
        self.page.open("/recordings/filter/new", pair=None)
        self.page.click("main recording-row [aria-label^='More']")
        self.page.until("return [...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Download')")
        self.page.run("[...document.querySelectorAll('dialog .menu button')].find((each) => each.textContent === 'Download').click()")
        self.page.until("return document.querySelector('toast-host').textContent.includes('is on this device')")
        time.sleep(0.5)
        self.assertEqual(self.page.run("return window.refused"), [])
        for play in ("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);", f"const {{api}} = await import('/player/core/api.js'); p.player.listen(await api.get('recordings/{made[0]}'), 0);"):
            self.page.open("/radio", pair=None)
            self.page.module(play + " s.set('full', true);")
            self.page.until("return document.querySelector('full-player .big-play')")
            time.sleep(1)
            self.page.run("document.querySelector('full-player [aria-label=More]').click()")
            self.page.until("return document.querySelector('dialog .menu')")
            self.page.run(press)
            time.sleep(0.7)
            self.assertEqual(self.page.run("return window.refused"), [])
        # A key that would change something leads to pairing.
        self.page.open("/radio", pair=None)
        self.page.module("p.player.tune({id: 'nightwave', name: 'Night Wave'}, null);")
        self.page.key("f")
        self.page.until("return document.querySelector('dialog[data-sheet=pair]')")
        self.assertEqual(self.service.get("/api/v1/stations/nightwave")["favourite"], True)


@WEB
class ThinLine(unittest.TestCase):
    def test_UI_L10_a_thin_line_is_offered_the_next_lower_quality(self):
        qualities = [("loud", "Cove Sound 256k", 256), ("low", "COVE SOUND 48k AAC", 48), ("middle", "Cove Sound (128 kbit/s)", 128), ("other", "Cove Sound Two 192k", 192)]
        world = World(more_stations="".join(f'\n[[station]]\nid = "{id}"\nname = "{name}"\nurls = ["http://127.0.0.1:1/x"]\nbitrate = {rate}\nlocal = true\n' for id, name, rate in qualities))
        self.addCleanup(world.close)
        browser = chromium()
        self.addCleanup(browser.quit)
        page = Page(browser, world.service).open("/radio")
        page.module("""
            const state = { ...s.get('player'), kind: 'live', station: { id: 'loud', name: 'Cove Sound 256k' } };
            for (let breaks = 0; breaks < 3; breaks += 1) { s.set('player', { ...state, phase: 'live' }); s.set('player', { ...state, phase: 'stalled' }); }""")
        offer = page.until("return document.querySelector('[data-banner=thin] button')?.textContent")
        self.assertIn("Cove Sound (128 kbit/s)", offer)
        page.click("[data-banner=thin] button")
        page.until("return import('/player/core/store.js').then((s) => s.get('player').station?.id === 'middle')")


if __name__ == "__main__":
    unittest.main(verbosity=2)
