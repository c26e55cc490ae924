"""An agent of its own for sora-bench. The contract: docs/agents-of-your-own.md. Python 3, standard library only."""
import itertools, json, sys, urllib.request

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class World:
    """An MCP session over Streamable HTTP."""

    def __init__(self, url):
        self.url, self.headers, self.ids = url, dict(HEADERS), itertools.count(1)
        about = {"name": "NAME", "version": "1"}
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
    # Standard output is for messages alone, one JSON object a line, sent off at once. Write to stderr what is for people.
    print(json.dumps(message), flush=True)


def play(goal):
    """Here is where your agent goes. This one reads a manual, looks at the state once, and gives up."""
    world = World(goal["url"])
    # Your model sees these: names, descriptions and JSON schemas, as function calling wants them.
    tools = world.ask("tools/list")["tools"]
    known = world.call("system_discovery")
    world.call("manual_retrieval", document=known["documents"][0]["id"])
    seen = world.call("read_properties")["observed"]
    # An operation: world.call("TOOL", action="OPERATION", …). It answers at once; what it starts may take time.
    say(type="note", text=f"{len(tools)} tools, {len(seen)} of them can be observed.")
    # What your model has cost since the last such line. Nobody can check it; reports say so.
    say(type="usage", calls=0, promptTokens=0, completionTokens=0)
    say(type="claim", goal=goal["goal"], claim="gave_up", text="There is nobody at home yet.")


# One message a line: first who you are (hello), then a goal whenever one arrives, and the end when all are claimed.
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "goal":
        play(message)
    if message["type"] == "end":
        break
