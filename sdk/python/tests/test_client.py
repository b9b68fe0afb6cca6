"""How the client calls, against a server that answers as it is told."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest.mock import patch

from interview_room import ApiError, Client, ServiceConnectionError

ROOM = {"success": True, "data": {"id": "r1"}}


def refusal(code):
    details = [{"field": "kind", "code": "REQUIRED", "message": "is required"}]
    return {"success": False, "error": {"code": code, "message": "No.", "details": details}}


class Calls(unittest.TestCase):
    def setUp(self):
        self.answers = []
        self.requests = []
        case = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                size = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(size)
                case.requests.append((self.command, self.path, dict(self.headers), body))
                status, content, headers = case.answers.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                sent = b"" if content is None else json.dumps(content).encode()
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.client = Client(f"http://127.0.0.1:{server.server_port}/", "key.secret")
        self.addCleanup(self.client.close)
        sleep = patch("interview_room.transport.time.sleep")
        self.sleep = sleep.start()
        self.addCleanup(sleep.stop)

    def will(self, status, content=None, **headers):
        self.answers.append((status, content, {k.replace("_", "-"): v for k, v in headers.items()}))

    def keys(self):
        return [headers.get("Idempotency-Key") for _, _, headers, _ in self.requests]

    def test_an_operation_is_sent_as_it_is_described(self):
        self.will(201, ROOM)
        self.assertEqual(self.client.create_room({"kind": "interview"}), {"id": "r1"})
        method, path, headers, body = self.requests[0]
        self.assertEqual((method, path), ("POST", "/api/v1/rooms"))
        self.assertEqual(headers["Authorization"], "ApiKey key.secret")
        self.assertEqual(json.loads(body), {"kind": "interview"})

    def test_ids_are_part_of_the_address_and_absent_filters_are_not_sent(self):
        self.will(200, {"success": True, "data": {"items": [], "next_cursor": None}})
        self.client.list_participants("a/b?c", role="panelist")
        self.assertEqual(self.requests[0][1], "/api/v1/rooms/a%2Fb%3Fc/participants?role=panelist")

    def test_a_204_is_none(self):
        self.will(204)
        self.assertIsNone(self.client.cancel_session("s1"))

    def test_an_operation_with_a_key_is_repeated_with_the_same_key(self):
        self.will(503, refusal("SERVICE_UNAVAILABLE"), Retry_After="2")
        self.will(502, refusal("RTC_PROVISION_FAILED"))
        self.will(201, ROOM)
        self.client.create_room({"kind": "interview"})
        first, *others = self.keys()
        self.assertEqual(others, [first, first])
        self.assertTrue(first)
        self.assertEqual([call.args[0] for call in self.sleep.call_args_list], [2.0, 0.5])

    def test_each_call_has_its_own_key_or_the_given_one(self):
        for _ in range(3):
            self.will(201, ROOM)
        self.client.create_room({"kind": "interview"})
        self.client.create_room({"kind": "interview"})
        self.client.create_room({"kind": "interview"}, idempotency_key="mine")
        keys = self.keys()
        self.assertEqual((len(set(keys)), keys[2]), (3, "mine"))

    def test_everything_else_is_sent_once(self):
        self.will(503, refusal("SERVICE_UNAVAILABLE"))
        with self.assertRaises(ApiError):
            self.client.close_room("r1")
        self.assertEqual(len(self.requests), 1)

    def test_a_refusal_is_an_error_with_its_code_and_details(self):
        self.will(400, refusal("INVALID_REQUEST"), X_Request_Id="req-1")
        with self.assertRaises(ApiError) as raised:
            self.client.create_room({})
        error = raised.exception
        self.assertEqual((error.status, error.code), (400, "INVALID_REQUEST"))
        self.assertEqual((error.details[0]["field"], error.request_id), ("kind", "req-1"))
        self.assertEqual(str(error), "400 INVALID_REQUEST: No. (kind is required)")
        self.assertEqual(len(self.requests), 1)

    def test_it_gives_up_after_four_attempts_or_if_the_wait_is_long(self):
        for _ in range(4):
            self.will(429, refusal("RATE_LIMITED"), Retry_After="Wed, 21 Oct 2026 07:28:00 GMT")
        with self.assertRaises(ApiError):
            self.client.get_room("r1")
        self.assertEqual(len(self.requests), 4)
        self.will(429, refusal("RATE_LIMITED"), Retry_After="31")
        with self.assertRaises(ApiError) as raised:
            self.client.get_room("r1")
        self.assertEqual((raised.exception.retry_after_sec, len(self.requests)), (31.0, 5))

    def test_a_retry_after_that_is_not_a_number_is_none(self):
        for value in ("-5", "nan", "inf", "1.5", ""):
            self.will(503, refusal("SERVICE_UNAVAILABLE"), Retry_After=value)
            self.will(200, ROOM)
            with self.subTest(value):
                self.client.get_room("r1")
                self.assertEqual(self.sleep.call_args.args, (0.25,))

    def test_an_answer_of_another_server_raises_a_connection_error(self):
        for _ in range(4):
            self.will(200, ["of a proxy"])
        with self.assertRaises(ServiceConnectionError):
            self.client.get_room("r1")
        for answer in ({"error": "Bad Gateway"}, {"error": {"code": 502}}, {"error": None}):
            self.will(502, answer)
            with self.subTest(answer), self.assertRaises(ServiceConnectionError):
                self.client.close_room("r1")
        nobody = Client("http://127.0.0.1:1", "k")
        with self.assertRaises(ServiceConnectionError):
            nobody.get_room("r1")
        nobody.close()

    def test_a_list_is_read_page_after_page(self):
        self.will(200, {"success": True, "data": {"items": [{"id": 1}], "next_cursor": "c1"}})
        self.will(200, {"success": True, "data": {"items": [{"id": 2}], "next_cursor": None}})
        found = list(self.client.iter_sessions(external_type="Slot", external_id="7"))
        self.assertEqual(found, [{"id": 1}, {"id": 2}])
        self.assertIn("cursor=c1", self.requests[1][1])

    def test_a_form_contains_its_file_and_its_fields(self):
        self.will(201, ROOM)
        self.client.register_handout(
            "s1", file=("a.png", b"\x89PNG", "image/png"), content_type="image", sort=2
        )
        _, _, headers, body = self.requests[0]
        self.assertTrue(headers["Content-Type"].startswith("multipart/form-data"))
        self.assertIn(b'filename="a.png"', body)
        self.assertIn(b'name="sort"\r\n\r\n2\r\n', body)
        self.assertNotIn(b"title", body)
        self.will(200, ROOM)
        self.client.patch_handout("h1", title="Front")
        self.assertTrue(self.requests[1][2]["Content-Type"].startswith("multipart/form-data"))


if __name__ == "__main__":
    unittest.main()
