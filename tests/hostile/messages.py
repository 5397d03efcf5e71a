"""Forged kernel messages and forged answers to the grader."""

from hostile import RIGHT, WRONG, Group

MESSAGES = Group("messages")
add = MESSAGES.add
SEND = """
kernel = get_ipython().kernel


def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"))


"""
for number, title, call in (
    ("MG01-error", "an error without content", "send('error', {})"),
    ("MG02-stream", "an output without content", "send('stream', {})"),
    ("MG03-stream-type", "an output of the wrong types", "send('stream', {'name': 5, 'text': {'a': 1}})"),
    ("MG04-result", "a result of the wrong types", "send('execute_result', {'data': 5, 'metadata': [], 'execution_count': 'x'})"),
    ("MG05-comm", "a channel of the wrong types", "send('comm_open', {'data': None, 'comm_id': 1})"),
    ("MG06-widget", "a widget that takes the outputs", "send('comm_open', {'data': {'state': {}}, 'comm_id': 'a', 'target_name': 'jupyter.widget'})\nsend('comm_msg', {'data': {'method': 'update', 'state': {'msg_id': 5}}, 'comm_id': 'a'})"),
    ("MG07-content-list", "content that is a list", "send('stream', '[\"a\"]')"),
    ("MG08-idle-early", "idle before its time", "send('status', {'execution_state': 'idle'})"),
    ("MG09-status-empty", "a status without state", "send('status', {})"),
    ("MG12-update-display", "updates of the wrong types", "send('update_display_data', {'transient': 5, 'data': 1})\nsend('display_data', {'transient': {'display_id': []}, 'data': {}, 'metadata': {}})"),
    ("N130-dead", "says that the kernel restarts", "send('status', {'execution_state': 'restarting'})\nsend('status', {'execution_state': 'dead'})\nsend('shutdown_reply', {'restart': True})"),
    ("N131-input-request", "asks for input", "kernel.session.send(kernel.stdin_socket, 'input_request', {'prompt': 'x', 'password': True}, parent=kernel.get_parent('shell'))"),
):  # fmt: skip
    add(
        number,
        f"forges {title}" if not title.startswith(("says", "asks")) else title,
        SEND + call + "\n" + RIGHT,
        earns=3,
    )

add(
    "MG10-display-int",
    "displays numbers and lists as MIME content",
    "display({'text/plain': 5, 'bad mime': [1], 'application/json': float('nan')}, raw=True)\n" + RIGHT,
    earns=3,
)
add(
    "MG11-surrogate",
    "prints half characters",
    RIGHT + "\n\ndisplay({'text/plain': '\\ud800'}, raw=True)\nprint('\\ud800 x')\n",
    earns=3,
)
add(
    "MG13-raw-bytes",
    "sends bytes that are no message",
    """
    kernel = get_ipython().kernel
    kernel.iopub_thread.send_multipart([b"garbage"])
    kernel.iopub_thread.send_multipart([b"<IDS|MSG>", b"", b"{", b"{", b"{", b"{"])
    """,
    then=RIGHT,
)
for number, title, body in (
    ("MG14-do_execute-empty", "answers every request with nothing", "return {}"),
    ("MG15-do_execute-none", "answers every request with None", "return None"),
    ("MG16-do_execute-raises", "raises at every request", "raise RuntimeError"),
    ("N132-do_execute-forged", "answers every request with a forged success", "return {'status': 'ok', 'execution_count': 1, 'payload': [], 'user_expressions': {'answer': {'status': 'ok', 'data': {'text/plain': repr('{\"ok\": {\"kind\": \"float\", \"value\": \"0x1p+0\"}}')}, 'metadata': {}}}}"),
):  # fmt: skip
    add(
        number,
        title,
        f"""
        import types

        kernel = get_ipython().kernel


        async def do_execute(self, *args, **kwargs):
            {body}


        kernel.do_execute = types.MethodType(do_execute, kernel)
        """,
        then=WRONG,
    )
add(
    "MG17-comm-flood",
    "30 MB of widget messages",
    SEND
    + "for number in range(300):\n    send('comm_open', {'data': {'state': {'v': 'A' * 100_000}}, 'comm_id': str(number)})\n"
    + WRONG,
)
add(
    "MG18-clear-flood",
    "clears its output 300 times",
    "from IPython.display import clear_output\n\nfor number in range(300):\n    print(number)\n    clear_output()\n"
    + RIGHT,
    earns=3,
)
add(
    "MG19-script",
    "displays a script",
    "from IPython.display import HTML, Javascript\n\ndisplay(HTML('<script>alert(1)</script>'))\ndisplay(Javascript('alert(2)'))\n"
    + RIGHT,
    earns=3,
)

# Forged answers to the grader: in place of its resident's, for the calls of one function
FORGE = """
import json, sys

import numpy as np

resident = sys.modules["_probe_resident"]
answer = resident.answer


def array(dtype, shape, content=bytes(64)):
    return {"ok": {"kind": "array", "dtype": dtype, "shape": shape, "bytes": content}}


def same_bytes(number):
    part = '{"kind": "array", "dtype": "<f8", "shape": [5000000], "bytes": [0, 40000000]}'
    parts = '{"kind": "tuple", "parts": [%s]}' % ", ".join([part] * 14)
    parts = '{"kind": "tuple", "parts": [%s]}' % ", ".join([parts] * 14)
    header = ('{"number": %d, "ok": {"kind": "tuple", "parts": [%s]}}' % (number, ", ".join([parts] * 14))).encode()
    assert len(header) < resident.wire.HEADER_BYTES
    return len(header).to_bytes(4, "big") + header + bytes(40_000_000)


def forge(request):
    asked = resident.wire.unpacked(request)
    if asked.get("name") != "softmax":
        return answer(request)
    reply = forged(asked)
    if isinstance(reply, dict):
        return resident.wire.packed({"number": asked.get("number"), **reply})
    return len(reply).to_bytes(4, "big") + reply.encode() if isinstance(reply, str) else reply


resident.answer = forge


def forged(asked):
"""
for number, title, body in (
    ("MH01-kinds-int", "a number of kinds", "{'error': {'kinds': 5}}"),
    ("MH02-npz", "an empty archive for an array", "array('<f8', [3], b'PK\\x05\\x06' + bytes(18))"),
    ("MH03-bad-zip", "a broken archive for an array", "array('<f8', [3], b'PK\\x03\\x04' + b'a' * 26)"),
    ("MH04-header-token", "an array with a broken type", "array('{(((', [8])"),
    ("MH05-header-huge", "an array of 80 GB", "array('<f8', [10_000_000_000])"),
    ("MH06-header-negative", "an array of negative size", "array('<f8', [-3])"),
    ("MH07-header-zero-huge", "an empty array of astronomic width", "array('<f8', [0, 999999999999999999999999], b'')"),
    ("MH08-header-descr", "an array of an impossible type", "array([['a', '<f8', -5]], [3])"),
    ("MH09-header-deep", "a type of 9000 brackets", "array('(' * 9000, [8])"),
    ("MH10-nothing", "an empty answer", "{}"),
    ("MH11-error-text", "an error that is a text", "{'error': 'x'}"),
    ("MH12-part-number", "a tuple of a bare number", "{'ok': {'kind': 'tuple', 'parts': [5]}}"),
    ("MH13-infinity", "a number too large for a float", "{'ok': {'kind': 'float', 'value': '0x1p99999'}}"),
    ("MH14-tuple-dict", "a tuple that is a dictionary", "{'ok': {'kind': 'tuple', 'parts': {'0': 1}}}"),
    ("MH15-bool-shape", "an array whose shape is truth values", "array('<f8', [True, True], bytes(8))"),
    ("MH16-text-list", "an error whose text is a list", "{'error': {'kinds': ['NotDefined'], 'text': ['a'], 'line': {'a': 1}}}"),
    ("MH17-deep-json", "JSON of 100 000 brackets", "'[' * 100_000"),
    ("MH18-big-integer", "an integer of 6000 digits", "'{\"number\": %d, \"ok\": {\"kind\": \"plain\", \"value\": 1%s}}' % (asked['number'], '0' * 6000)"),
    ("MH19-long-double", "an array of long doubles", "array('<f16', [2], bytes(32))"),
    ("MH20-reply-flood", "an answer of 300 MB", "b'A' * 300_000_000"),
    ("N218-lists", "90 MB of empty lists", "'{\"number\": %d, \"ok\": [%s0]}' % (asked['number'], '[[[]]],' * 13_000_000)"),
    ("N219-same-bytes", "2700 arrays of the same bytes", "same_bytes(asked['number'])"),
    ("N133-pickle", "an array of objects, whose bytes are addresses", "array('|O', [8])"),
    ("N134-score", "a score, a verdict and right away full points", "{'ok': {'kind': 'plain', 'value': True}, 'points': 3, 'passed': True, 'status': 'passed'}"),
    ("N135-other-number", "the answer to another question", "json.dumps({'number': asked['number'] + 1, 'ok': {'kind': 'plain', 'value': 1}})"),
    ("N136-no-text", "bytes that are no text", "b'\\xff\\xfe\\x00'"),
    ("N137-grader-error", "an error that calls itself the machine's", "{'error': {'kinds': ['MachineError', 'Exception'], 'text': 'no kernel', 'line': ''}}"),
    ("N138-object", "an object of the kernel for an array", "{'ok': {'kind': 'object', 'id': 0}}"),
):  # fmt: skip
    add(number, f"forges {title}", FORGE + f"    return {body}\n", then=WRONG, points={"softmax": 0})
# What shows that the forged answers above reach the grader: a right array is right, however it came about.
add(
    "MH00-right",
    "forges the right answer",
    FORGE
    + """
    x = resident.calls.decode(asked["args"][0])
    axis = resident.calls.decode(asked["kwargs"]["axis"]) if "axis" in asked["kwargs"] else -1
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    right = e / e.sum(axis=axis, keepdims=True)
    return array(right.dtype.str, list(right.shape), right.tobytes())
""",
    then=WRONG,
    earns=3,
)

# Messages of Jupyter's, sent while nobody reads them
FLOOD = """
import os, stat, threading, time


def pour(descriptor, until):
    frame = b"\\x03" + (1_000_000).to_bytes(8, "big") + bytes(1_000_000)
    while time.monotonic() < until:
        try:
            os.write(descriptor, frame)
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            return


def flood(seconds):
    resident = __import__("sys").modules["_probe_resident"]
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        try:
            is_socket = stat.S_ISSOCK(os.fstat(descriptor).st_mode)
        except OSError:
            continue
        if is_socket and descriptor != resident.state.CURRENT.get("channel"):
            threading.Thread(target=pour, args=(descriptor, time.monotonic() + seconds), daemon=True).start()


"""
add(
    "N220-flood-while-asked",
    "pours endless messages into Jupyter's sockets while it is asked",
    FLOOD + "def softmax(x, axis=-1):\n    flood(3)\n    time.sleep(2)\n    return x\n",
)
add(
    "N221-large-messages",
    "publishes messages of 4 MB",
    "for _ in range(3):\n    print('a' * 4_000_000)\n" + RIGHT,
    earns=3,
    says="output cut",
)

# What the pages, the database and the terminal of whoever grades would take ill
add(
    "MG20-half-characters",
    "forges outputs with half characters, NUL and sequences that steer a terminal",
    SEND
    + r"""
half = r'\ud800 \u0000 \u001b]0;title\u0007 \u202e'
send("stream", '{"name": "stdout", "text": "%s"}' % half)
send("display_data", '{"data": {"text/plain": "%s", "image/png": "%s"}, "metadata": {"%s": 1}}' % (half, half, half))
send("error", '{"ename": "%s", "evalue": "%s", "traceback": ["%s"]}' % (half, half, half))
"""
    + RIGHT,
    earns=3,
    says='softmax</code></a> <span class="points">3 / 3',
)
add(
    "MG21-many-outputs",
    "shows 500 empty outputs",
    "for number in range(500):\n    display({'text/plain': ''}, raw=True)\n" + RIGHT,
    earns=3,
    says="outputs? (of this cell|cut)",
)
add(
    "MG22-quoted-tag",
    "raises at a line whose backticks, tags and pictures leave the code in which it is quoted",
    "def softmax(x, axis=-1):\n"
    "    raise ValueError  # ` <img src=x onerror=alert(1)> <meta http-equiv=refresh content='0;url=http://elsewhere.example'>"
    " ![a](attachment:none) ` \x1b[2J\n",
    says="raise ValueError",
)
