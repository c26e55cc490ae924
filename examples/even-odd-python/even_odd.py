"""Plays one part of even-odd by a rule. Python 3, standard library only (docs/agents-of-your-own.md)."""
import itertools, json, re, sys, time, urllib.request

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class World:
    """An MCP session over Streamable HTTP."""

    def __init__(self, url):
        self.url, self.headers, self.ids = url, dict(HEADERS), itertools.count(1)
        about = {"name": "even-odd-python", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message):
        request = urllib.request.Request(self.url, json.dumps(message).encode(), self.headers)
        with urllib.request.urlopen(request) as response:
            self.headers["Mcp-Session-Id"] = response.headers.get("Mcp-Session-Id") or self.headers.get("Mcp-Session-Id")
            return response.read()

    def ask(self, method, **params):
        answer = json.loads(self.post({"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params}))
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)["structuredContent"]


def say(**message):
    print(json.dumps(message), flush=True)


def play(goal):
    world = World(goal["url"])
    mine = 1 if re.search(r"\bODD\b", goal["text"]) else 0
    limit = int(re.search(r"exceeds (\d+)", goal["text"]).group(1))
    world.call("counterTool", action="focus")
    while True:
        [seen] = world.call("read_properties", tools=["counterTool"])["observed"]
        value = seen["properties"]["shared_counter"]["value"]
        if value > limit:
            return say(type="claim", goal=goal["goal"], claim="achieved", text=f"The counter shows {value}.")
        if value % 2 == mine:
            world.call("counterTool", action="inc")
        else:
            time.sleep(0.02)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "goal":
        play(message)
    if message["type"] == "end":
        break
