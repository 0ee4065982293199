"""The page's state: tabs that hand the sound over, events that were missed, lists whose contents went, and what is only heard later."""
import time
import unittest

from support import WebCase, eventually, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")

PHASE = "return import('/player/core/store.js').then((s) => s.get('player').phase === arguments[0])"
SOURCE = "return import('/player/core/player.js').then((p) => p.elements.live.getAttribute('src'))"


@WEB
class State(WebCase):
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
