"""Judges what a proxy sent to the service: reads connections with h11, which shares no code with the proxy.

Input, one line for each connection: the bytes as base64. Output, one line of JSON: how many requests were read, and every
violation found. A request is legal when h11 accepts it, nothing is left over, and it is one of the contract's six calls.
"""

import base64
import json
import re
import sys

import h11

VIN = r"[0-9A-Za-z]{17}"
RANGE = r"\?startDate=\d{8}&endDate=\d{8}&zoneId=[A-Za-z0-9_%+./-]+"
ROUTES = [
    re.compile(pattern)
    for pattern in (
        r"GET /v1/vehicles/consent",
        rf"DELETE /v1/vehicles/consent\?vin={VIN}",
        rf"GET /v1/vehicles/{VIN}/powertrains/data{RANGE}",
        rf"GET /v1/vehicles/{VIN}/driving/data{RANGE}",
        rf"GET /v1/vehicles/{VIN}/locations",
        rf"GET /v1/vehicles/{VIN}/batteries",
    )
]
NAMES = {b"host", b"accept", b"accept-encoding", b"authorization", b"brand", b"x-request-id", b"traceparent", b"tracestate"}
BRANDS = {b"brand_a", b"brand_b", b"brand_c"}
TOKEN = re.compile(rb"Bearer [A-Za-z0-9._~+/-]+=*")


def complaint(request):
    line = f"{request.method.decode('latin1')} {request.target.decode('latin1')}"
    if not any(route.fullmatch(line) for route in ROUTES):
        return "not one of the six calls"
    names = [name for name, _ in request.headers]
    if len(set(names)) != len(names):
        return "a header twice"
    headers = dict(request.headers)
    if len(names) > 6 or not set(names) <= NAMES:
        return "a header outside the allowlist"
    if headers.get(b"brand") not in BRANDS:
        return "no brand of the contract"
    token = headers.get(b"authorization")
    if token is None and line != "GET /v1/vehicles/consent":
        return "no token"
    if token is not None and not TOKEN.fullmatch(token):
        return "a token of another form"
    return None


def judge(data):
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    requests, problems = 0, []
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError as error:
            return requests, problems + ["not HTTP: " + str(error).split(": bytearray")[0]]
        if event is h11.NEED_DATA:
            rest, _ = connection.trailing_data
            if rest:
                problems.append("bytes that are no whole request")
            return requests, problems
        if event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
            rest, _ = connection.trailing_data
            return requests, problems + (["bytes after the last request"] if rest else [])
        if isinstance(event, h11.Request):
            requests += 1
            found = complaint(event)
            if found:
                problems.append(found)
        elif isinstance(event, h11.Data):
            problems.append("a body")
        elif isinstance(event, h11.EndOfMessage):
            try:
                connection.send(h11.Response(status_code=200, headers=[("content-length", "0")]))
                connection.send(h11.EndOfMessage())
                connection.start_next_cycle()
            except h11.LocalProtocolError:
                return requests, problems + ["no further request can follow"]


def judge_all(data):
    """The connection as a whole; after a fault that stops the reading, each request of it alone, so that all are counted."""
    requests, problems = judge(data)
    if not problems:
        return requests, problems
    requests, problems = 0, []
    for block in data.split(b"\r\n\r\n"):
        if block:
            found, faults = judge(block + b"\r\n\r\n")
            requests, problems = requests + max(found, 1), problems + faults[:1]
    return requests, problems or ["requests that are good only when read alone"]


total, violations = 0, {}
for row in sys.stdin:
    requests, problems = judge_all(base64.b64decode(row))
    total += requests
    for problem in problems:
        violations[problem] = violations.get(problem, 0) + 1
print(json.dumps({"requests": total, "violations": violations}))
