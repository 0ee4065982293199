"""Pictures of every screen at 360, 768 and 1440 px into docs/screens: `make screenshots`. A name as an argument makes one."""
import pathlib
import sys
import time
import unittest

from support import TOP, Page, World, chromium

SIZES = [(360, 740), (768, 1024), (1440, 900)]
TITLES = {"nightwave": "Ella Marlowe - Blue Lantern", "harbour": "Juniper Vale - Salt Market", "kestrel": "The Morning Desk - Weather and tides"}

SCREENS = {
    "for-you": ("/", None),
    "radio": ("/radio", None),
    "live-player": ("/radio", "s.set('full', true);"),
    "search": ("/search?q=radio", None),
    "library": ("/library", None),
    "station": ("/station/nightwave", None),
    "settings": ("/settings", None),
    "keys": ("/radio", "s.set('sheet', {name: 'keys'});"),
}


def prepare(world, page):
    for station, title in TITLES.items():
        world.icecast.title(station, title)
    for station in ("nightwave", "harbour"):
        world.service.call("PUT", f"/api/v1/stations/{station}/favourite", {"value": True})


class Screenshots(unittest.TestCase):
    def test_every_screen(self):
        wanted = [name for name in sys.argv[1:] if name in SCREENS] or list(SCREENS)
        folder = TOP / "docs/screens"
        world = World()
        self.addCleanup(world.close)
        for width, height in SIZES:
            browser = chromium(width, height)
            self.addCleanup(browser.quit)
            page = Page(browser, world.service).open()
            prepare(world, page)
            for name in wanted:
                path, then = SCREENS[name]
                page.open(path, pair=None)
                if not path.startswith("/recordings"):
                    page.module("const {api} = await import('/player/core/api.js'); const {stations} = await api.get('stations'); p.player.tune(stations.find((each) => each.id === 'nightwave') ?? stations[0], {name: 'For You', stations});")
                    page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live' && s.get('heard'))", within=15)
                if then:
                    page.module(then)
                time.sleep(1.2)
                browser.save_screenshot(str(folder / f"{name}-{width}.png"))
                self.assertEqual([each for each in page.console() if each["source"] in ("security", "javascript")], [], name)


if __name__ == "__main__":
    unittest.main(argv=["screenshots"])
