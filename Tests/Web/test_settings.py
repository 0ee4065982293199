"""Settings (UI-S7): a station's own, guests, tokens, schedules, storage; and the lower quality of a thin line (UI-L10)."""
import http.client
import json
import socket
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
