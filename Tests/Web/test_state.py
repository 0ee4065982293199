"""The page's state: tabs that hand the sound over, events that were missed, lists whose contents went, and what is only heard later."""
import time
import unittest

from support import WebCase, eventually, needs

WEB = needs("chromium", "chromedriver", "icecast2", "ffmpeg")

PHASE = "return import('/player/core/store.js').then((s) => s.get('player').phase === arguments[0])"
SOURCE = "return import('/player/core/player.js').then((p) => p.elements.live.getAttribute('src'))"


# A stream of events that a test may refuse, and whose words it may add to.
EVENTS = """
window.sources = [];
window.EventSource = class extends EventSource {
  constructor(address) { super(sessionStorage.getItem('refused') ? '/api/v1/nothing' : address); window.sources.push(this); }
};
"""


@WEB
class State(WebCase):
    def follow(self):
        """Loads the page with streams of events that the test holds."""
        script = self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": EVENTS})["identifier"]
        self.addCleanup(self.page.open, "/radio", pair=None)
        self.addCleanup(self.page.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self.addCleanup(self.page.run, "sessionStorage.removeItem('refused')")
        self.page.open("/radio", pair=None)

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

    def test_events_come_once_a_refused_browser_is_paired(self):
        self.page.run("sessionStorage.setItem('refused', 'yes')")
        self.follow()
        status = "return import('/player/core/store.js').then((s) => s.get('status')?.version ?? null)"
        self.page.until("return window.sources.length && window.sources.every((each) => each.readyState === EventSource.CLOSED)")
        self.assertIsNone(self.page.run(status))
        self.page.run("sessionStorage.removeItem('refused')")
        self.page.wait("import('/player/core/pairing.js').then(({pair}) => pair(arguments[0])).then(done)".replace("arguments[0]", repr(self.service.code())))
        self.page.until(status, within=5)

    def test_what_was_missed_is_fetched_anew(self):
        self.follow()
        self.page.module("await import('/player/parts/live-player.js'); await import('/player/core/queue.js');")
        self.page.until("return import('/player/core/store.js').then((s) => s.get('status') && s.get('queue') && s.get('favourites') && s.get('thumbs'))")
        stale = "s.set('queue', ['gone']); s.set('favourites', [{id: 'gone'}]); s.set('thumbs', [{title: 'gone'}]); s.set('status', null);"
        fresh = "return import('/player/core/store.js').then((s) => s.get('status') && ![s.get('queue'), s.get('favourites'), s.get('thumbs')].some((each) => JSON.stringify(each).includes('gone')))"
        for said in ("window.sources.at(-1).dispatchEvent(new MessageEvent('resync', {data: '{}'}))", "dispatchEvent(new Event('online'))"):
            self.page.module(stale)
            self.page.run(said)
            self.page.until(fresh, within=5)
        self.page.module(stale)
        self.service.stop()
        self.service.start()
        self.page.until(fresh, within=20)

    def heard(self, station, title):
        self.icecast.title(station, title)
        self.page.until("return import('/player/core/store.js').then((s) => s.get('heard')?.title === arguments[0])", title.split(" - ")[1], within=15)

    def test_a_thumb_is_for_the_title_that_is_shown(self):
        """Another track has begun at the station; this browser, seconds behind, still hears and shows the one before."""
        self.tune()
        self.heard("nightwave", "Ella Marlowe - Shown")
        self.page.module("s.set('full', true);")
        self.page.until("return !document.querySelector('live-player .thumb.up').disabled && document.querySelector('live-player .now-airing').textContent === 'Shown'")
        # What is to come is there already: it is held back as a slow browser holds it.
        self.page.module("const heard = s.get('heard'); window.unwatch = s.watch('heard', (mark) => { if (mark !== heard) s.set('heard', heard); });")
        try:
            self.icecast.title("nightwave", "Ada Fenn - Arriving")
            self.assertTrue(eventually(lambda: (self.service.get("/api/v1/stations/nightwave/now")["now"] or {}).get("title") == "Arriving"))
            self.page.click(".thumb.up")
            given = lambda: [each["title"] for each in self.service.get("/api/v1/thumbs")["thumbs"] if each["direction"] == "up"]
            self.assertTrue(eventually(given))
            self.assertEqual(given(), ["Shown"])
            self.page.until("return document.querySelector('.thumb.up').getAttribute('aria-pressed') === 'true'")
            self.page.click(".thumb.up")
            self.assertTrue(eventually(lambda: given() == []), "it is taken back from the same title")
            # And the song that is kept is the one that is shown.
            asked = "window.songs = []; const real = window.fetch; window.fetch = (address, more) => { if (String(address).endsWith('/keep')) window.songs.push(JSON.parse(more.body).song); return real(address, more); };"
            self.page.run(asked)
            self.page.run("[...document.querySelectorAll('live-player .action-chip')].find((each) => each.textContent === 'Keep song').click()")
            self.assertTrue(eventually(lambda: self.page.run("return window.songs") == ["previous"]), self.page.run("return window.songs"))
        finally:
            self.page.run("window.unwatch()")

    def test_a_thumb_down_there_leaves_one_station_and_no_more(self):
        self.page.module("const {api} = await import('/player/core/api.js'); const stations = await Promise.all(['nightwave', 'harbour', 'kestrel'].map((id) => api.get('stations/' + id))); p.player.tune(stations[0], {name: 'Test list', stations});")
        self.page.until(PHASE, "live")
        self.heard("nightwave", "Ella Marlowe - Not This")
        self.page.module("s.set('full', true);")
        self.page.until("return !document.querySelector('live-player .thumb.down').disabled")
        # The page asks nothing of the service's player beside the thumb: that leaves the station by itself.
        self.page.run("window.asked = []; const real = window.fetch; window.fetch = (address, more) => { if (more?.method !== 'GET') window.asked.push(String(address)); return real(address, more); };")
        self.page.module("s.set('player', {...s.get('player'), where: 'there'}); document.querySelector('.thumb.down').click();")
        self.page.until("return window.asked.includes('/api/v1/thumbs')")
        time.sleep(1.5)
        self.assertEqual(self.page.run("return window.asked.filter((each) => each.includes('/player/'))"), [])
        self.assertEqual(self.page.state()["station"]["id"], "nightwave")


if __name__ == "__main__":
    unittest.main(verbosity=2)
