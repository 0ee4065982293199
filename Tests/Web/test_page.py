"""The page as files: types, caching, policy, pairing, sizes. No browser is needed but for the last."""
import http.client
import json
import unittest

from support import TOP, Page, WebCase, World, chromium, eventually, needs

PAGE_LIMIT = 150_000


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.service = cls.world.service

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=10)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    def test_every_file_has_its_type_a_tag_and_the_policy(self):
        for path in sorted((TOP / "web").rglob("*.*")):
            name = str(path.relative_to(TOP / "web"))
            answer, text = self.ask("/player/" + name)
            self.assertEqual(answer.status, 200, name)
            self.assertEqual(text, path.read_bytes(), name)
            if path.suffix == ".js":
                self.assertEqual(answer.getheader("Content-Type"), "text/javascript; charset=utf-8")
            policy = answer.getheader("Content-Security-Policy")
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertIn("require-trusted-types-for 'script'", policy)
            again, nothing = self.ask("/player/" + name, If_None_Match=answer.getheader("ETag"))
            self.assertEqual((again.status, nothing), (304, b""), name)
            squeezed, _ = self.ask("/player/" + name, Accept_Encoding="gzip")
            if path.suffix in (".js", ".css", ".html") and path.stat().st_size > 1000:
                self.assertEqual(squeezed.getheader("Content-Encoding"), "gzip", name)

    def test_every_screen_has_an_address_and_a_browser_is_led_there(self):
        for path in ("/player/", "/player/radio", "/player/station/nightwave", "/player/recordings/show/a%20b"):
            answer, text = self.ask(path)
            self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/html; charset=utf-8"), path)
        # A show may have a dot in its name; a file that is not there is none all the same.
        answer, _ = self.ask("/player/recordings/show/show%3ADr.%20Jazz", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/html; charset=utf-8"))
        self.assertEqual(self.ask("/player/parts/nothing.js", Accept="*/*")[0].status, 404)
        answer, _ = self.ask("/", Accept="text/html,application/xhtml+xml")
        self.assertEqual((answer.status, answer.getheader("Location")), (302, "/player/"))
        answer, text = self.ask("/", Accept="*/*")
        self.assertEqual(answer.status, 200)
        self.assertIn(b"/player/", text)
        for path in ("/player/../api/v1/status", "/player/%2e%2e/secret.txt", "/player/nothing.js"):
            self.assertIn(self.ask(path)[0].status, (400, 404), path)

    def test_nothing_inline_and_nothing_from_elsewhere(self):
        page = (TOP / "web/index.html").read_text()
        self.assertNotRegex(page, r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=")
        for path in (TOP / "web").rglob("*.js"):
            text = path.read_text()
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", str(path))
            self.assertNotRegex(text, r"(import|from)\s*\(?['\"]https?:", str(path))

    def test_UI_S7_a_code_becomes_a_session_once(self):
        code = self.service.code("operator")
        json_type = {"Content_Type": "application/json", "Origin": self.service.address}
        answer, text = self.ask("/api/v1/session", "POST", json.dumps({"code": code, "name": "a phone"}), **json_type)
        self.assertEqual(answer.status, 201)
        cookie = answer.getheader("Set-Cookie")
        self.assertRegex(cookie, r"HttpOnly; SameSite=Strict")
        pair = cookie.split(";")[0]
        self.assertEqual(self.ask("/api/v1/session", "POST", json.dumps({"code": code}), **json_type)[0].status, 403)
        self.assertEqual(json.loads(self.ask("/api/v1/session", Cookie=pair)[1])["role"], "operator")
        self.assertEqual(json.loads(self.ask("/api/v1/session")[1])["role"], "viewer")
        favourite = lambda **more: self.ask("/api/v1/stations/harbour/favourite", "PUT", json.dumps({"value": True}), **{"Content_Type": "application/json", **more})[0].status
        self.assertEqual(favourite(Cookie=pair, Origin=self.service.address), 200)
        # The cookie alone is not enough: another site's page would send it too.
        self.assertEqual(favourite(Cookie=pair, Origin="http://evil.example"), 403)
        self.assertEqual(favourite(Cookie=pair), 403)
        id = self.service.get("/api/v1/sessions")["sessions"][0]["id"]
        self.service.call("DELETE", f"/api/v1/sessions/{id}")
        self.assertEqual(favourite(Cookie=pair, Origin=self.service.address), 403)

    def test_wrong_codes_are_slowed_down(self):
        statuses = [self.ask("/api/v1/session", "POST", json.dumps({"code": f"ABCD-{index}"}), Content_Type="application/json", Origin=self.service.address)[0].status for index in range(12)]
        self.assertIn(429, statuses)


@needs("chromium", "chromedriver")
class FirstLoad(WebCase):
    def test_first_load_is_small_and_quick(self):
        self.page.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        self.page.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.page.browser.execute_cdp_cmd("Network.enable", {})
        self.page.browser.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        self.page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "new MutationObserver((_, watch) => { if (document.querySelector('.station-card')) { watch.disconnect(); window.firstShown = performance.now(); } }).observe(document, {childList: true, subtree: true});"})
        self.page.browser.get(self.service.address + "/player/radio")
        self.page.browser.get(self.service.address + "/player/")
        self.page.until("return document.querySelector('.station-card')")
        found = self.page.run("return {ready: performance.now(), entries: performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter((each) => each.name.includes('/player/')).map((each) => [each.name.split('/player/')[1], each.transferSize])}")
        total = sum(size for name, size in found["entries"] if not name.startswith("fonts/") and name != "sw.js" and not name.startswith("icons/"))
        shown = self.page.run("return window.firstShown")
        print(f"\n  first load: {total / 1000:.0f} KB in {len(found['entries'])} files, first stations after {shown:.0f} ms")
        self.assertLess(total, PAGE_LIMIT)
        self.assertGreater(total, 20_000, "the cache answered")
        self.assertLess(shown, 1000)
        self.assertLessEqual((TOP / "web/fonts/inter.woff2").stat().st_size, 40_960)

    def test_the_shell_stands_without_a_network_after_one_visit(self):
        browser = chromium()
        self.addCleanup(browser.quit)
        page = Page(browser, self.service).open("/", pair=None)
        missing = "const files = performance.getEntriesByType('resource').map((each) => each.name).filter((name) => name.includes('/player/') && /[.](js|css)$/.test(name) && !name.endsWith('/sw.js')); caches.open('aircheck-shell').then((cache) => cache.keys()).then((keys) => done(files.length < 30 ? files : files.filter((name) => !keys.some((key) => key.url === name))))"
        self.assertTrue(eventually(lambda: page.wait(missing) == [], within=20), f"of the first visit are not kept: {page.wait(missing)}")
        self.service.stop()
        try:
            browser.refresh()
            page.until("return document.querySelector('tab-bar a') && document.querySelector('main h1')?.textContent === 'For You'")
        finally:
            self.service.start()

    def test_the_shell_stands_without_a_network(self):
        self.page.browser.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": False})
        self.page.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
        self.page.open("/", pair=None)
        self.page.wait("navigator.serviceWorker.ready.then(() => done(true))")
        for path in ("/radio", "/"):
            self.page.open(path, pair=None)
            self.page.until("return document.querySelector('.station-card, station-row')")
        self.service.stop()
        try:
            self.page.browser.refresh()
            self.page.until("return document.querySelector('tab-bar a') && document.querySelector('main h1')?.textContent === 'For You'")
            self.page.until("return document.querySelector('[data-banner=offline]') && document.querySelector('main .state .pill')?.textContent === 'Try again'")
        finally:
            self.service.start()
        self.page.run("document.querySelector('main .state .pill').click()")
        self.page.until("return document.querySelector('.station-card')")


if __name__ == "__main__":
    unittest.main(verbosity=2)
