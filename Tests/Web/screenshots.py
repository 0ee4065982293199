"""Pictures of every screen at 360, 768 and 1440 px into docs/screens: `make screenshots`. A name as an argument makes one."""
import base64
import sys
import time
import unittest

from support import TOP, Page, World, chromium, eventually

SIZES = [(360, 740), (768, 1024), (1440, 900)]
TITLES = {"nightwave": "Ella Marlowe - Blue Lantern", "harbour": "Juniper Vale - Salt Market", "kestrel": "The Morning Desk - Weather and tides"}

SCREENS = {
    "for-you": ("/", None),
    "radio": ("/radio", None),
    "live-player": ("/radio", "s.set('full', true);"),
    "failed": ("/radio", "p.player.tune({id: 'no-such-station', name: 'Gone FM'}, null); s.set('full', true);"),
    "guest": ("/radio", "s.set('session', {role: 'anyone', isListenOnly: true});"),
    "sleep": ("/radio", "p.player.sleep({minutes: 45}); s.set('full', true); s.set('sheet', {name: 'sleep'});"),
    "filter": ("/recordings", "s.set('sheet', {name: 'filter'});"),
    "search": ("/search?q=radio", None),
    "library": ("/library", None),
    "station": ("/station/nightwave", None),
    "settings": ("/settings", None),
    "station-settings": ("/station/nightwave/settings", None),
    "recordings": ("/recordings", None),
    "show": ("/recordings/show/show%3AThe%20Morning%20Desk", None),
    "recording": ("/recordings/{music}", None),
    "recording-player": ("/recordings", "listen {music}"),
    "reading-room": ("/recordings", "listen {talk}"),
    "chapters": ("/recordings", "listen {music}; s.set('sheet', {name: 'chapters', recording: s.get('player').recording});"),
    "speed": ("/recordings", "listen {music}; s.set('sheet', {name: 'speed'});"),
    "queue": ("/queue", None),
    "schedules": ("/recordings/schedules?station=nightwave", None),
    "stats": ("/recordings/stats", None),
    "discover": ("/discover", None),
    "collection": ("/collection", None),
    "history": ("/history", None),
    "car": ("/car", "listen {music}; s.set('full', false);"),
    "keys": ("/radio", "s.set('sheet', {name: 'keys'});"),
}


def record(world):
    """Two shows and one by hand, each with titles; one is begun, one starred, one queued."""
    call = world.service.call
    names = {name: call("POST", "/api/v1/recordings", {"station": station, "seconds": 16, **({"show": show} if show else {})})["id"] for name, station, show in (("talk", "kestrel", "The Morning Desk"), ("music", "nightwave", "Late Set"), ("plain", "harbour", None))}
    for titles in (("Ines Dahl - Tides today", "Ella Marlowe - Blue Lantern"), ("The desk - Roads and ferries", "Ada Fenn - Copper Rain"), ("Ines Dahl - The harbour at night", "Juniper Vale - Salt Market")):
        time.sleep(4)
        world.icecast.title("kestrel", titles[0])
        world.icecast.title("nightwave", titles[1])
    for id in names.values():
        eventually(lambda: world.service.get(f"/api/v1/recordings/{id}")["state"] == "finished", within=40)
    call("PUT", f"/api/v1/recordings/{names['talk']}/listening", {"position": 6})
    call("PUT", f"/api/v1/recordings/{names['music']}/listening", {"starred": True})
    call("PUT", "/api/v1/queue", {"recordings": [names["plain"], names["talk"]]})
    call("PUT", "/api/v1/thumbs", {"station": "nightwave", "direction": "up"})
    call("POST", "/api/v1/stats/heard", {"live": 3600, "station": "nightwave", "artist": "Ella Marlowe"})
    call("POST", "/api/v1/stats/heard", {"live": 1900, "station": "harbour", "artist": "Juniper Vale"})
    call("POST", "/api/v1/stats/heard", {"recorded": 2400, "trim": 190, "speed": 620})
    return names


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
        names = record(world)
        for width, height in SIZES:
            browser = chromium(width, height)
            self.addCleanup(browser.quit)
            page = Page(browser, world.service).open()
            prepare(world, page)
            for name in wanted:
                path, then = (text and text.replace("{music}", names["music"]).replace("{talk}", names["talk"]) for text in SCREENS[name])
                page.open(path, pair=None)
                if then and then.startswith("listen "):
                    id, _, then = then[len("listen "):].partition(";")
                    page.module(f"const {{api}} = await import('/player/core/api.js'); const {{recordings}} = await api.get('recordings'); p.player.listen(recordings.find((each) => each.id === '{id}'), 7); s.set('full', true);")
                    page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'playing')", within=15)
                elif path in ("/", "/radio", "/search?q=radio", "/library", "/settings", "/station/nightwave"):
                    page.module("const {api} = await import('/player/core/api.js'); const {stations} = await api.get('stations'); p.player.tune(stations.find((each) => each.id === 'nightwave') ?? stations[0], {name: 'For You', stations});")
                    page.until("return import('/player/core/store.js').then((s) => s.get('player').phase === 'live' && s.get('heard'))", within=15)
                if then:
                    page.module(then)
                time.sleep(1.2)
                picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 82})["data"]
                (folder / f"{name}-{width}.webp").write_bytes(base64.b64decode(picture))
                self.assertEqual([each for each in page.console() if each["source"] in ("security", "javascript")], [], name)


if __name__ == "__main__":
    unittest.main(argv=["screenshots"])
