type Code = { value: 'curl' | 'typescript' | 'python'; label: string; code: string };

const three = (curl: string, typescript: string, python: string): Code[] => [
  { value: 'curl', label: 'curl', code: curl },
  { value: 'typescript', label: 'TypeScript', code: typescript },
  { value: 'python', label: 'Python', code: python },
];

/** Submit, wait, download: a whole program each. */
export const firstPicture = (base: string, id: string, file: string): Code[] =>
  three(
    `STATUS_URL=$(curl -sS -X POST ${base}/v1/${id}/generate \\
  -H "Authorization: Bearer $POMONA_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(date +%s)-$$" \\
  -d '{"prompt": "a lighthouse at dusk"}' | sed -n 's/.*"status_url":"\\([^"]*\\)".*/\\1/p')

# answers as soon as it is ready, or after 60 seconds: then ask again
RESULT_URL=$(curl -sS "$STATUS_URL?wait=60" \\
  -H "Authorization: Bearer $POMONA_KEY" | sed -n 's/.*"result":{"type":"[a-z]*","url":"\\([^"]*\\)".*/\\1/p')

curl -sS -o ${file} "$RESULT_URL"`,
    `// lighthouse.mts: node lighthouse.mts
import { writeFile } from 'node:fs/promises';

async function call(method: string, url: string, body?: object) {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: \`Bearer \${process.env.POMONA_KEY}\`,
      'content-type': 'application/json',
      ...(body && { 'idempotency-key': crypto.randomUUID() }),
    },
    body: body && JSON.stringify(body),
  });
  const data: any = await answer.json();
  if (!answer.ok) throw new Error(data.error.message);
  return data;
}

let request = await call('POST', '${base}/v1/${id}/generate', {
  prompt: 'a lighthouse at dusk',
});
while (['queued', 'in_progress'].includes(request.status)) {
  request = await call('GET', \`\${request.status_url}?wait=60\`);
}
if (!request.result) throw new Error(request.error?.message ?? request.status);

const file = await fetch(request.result.url);
await writeFile('${file}', Buffer.from(await file.arrayBuffer()));
console.log('${file}', request.result.width, request.result.height);`,
    `# lighthouse.py: python3 lighthouse.py
import json, os, urllib.error, urllib.request, uuid


def call(method, url, body=None):
    headers = {
        "Authorization": f"Bearer {os.environ['POMONA_KEY']}",
        "Content-Type": "application/json",
    }
    if body:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise SystemExit(json.load(refusal)["error"]["message"])


request = call("POST", "${base}/v1/${id}/generate", {
    "prompt": "a lighthouse at dusk",
})
while request["status"] in ("queued", "in_progress"):
    request = call("GET", request["status_url"] + "?wait=60")
if not request["result"]:
    raise SystemExit(request["error"] or request["status"])

urllib.request.urlretrieve(request["result"]["url"], "${file}")
print("${file}", request["result"]["width"], request["result"]["height"])`,
  );

/** A ticket, the signed PUT, a character from the file. */
export const ownPicture = (base: string): Code[] =>
  three(
    `TICKET=$(curl -sS -X POST ${base}/v1/uploads \\
  -H "Authorization: Bearer $POMONA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"content_type": "image/png"}')
UPLOAD_URL=$(echo "$TICKET" | sed -n 's/.*"upload_url":"\\([^"]*\\)".*/\\1/p')
RANGE=$(echo "$TICKET" | sed -n 's/.*"\\(x-[a-z-]*length-range\\)":"\\([^"]*\\)".*/\\1: \\2/p')
IMAGE_URL=$(echo "$TICKET" | sed -n 's/.*,"url":"\\([^"]*\\)".*/\\1/p')

curl -sS -X PUT "$UPLOAD_URL" -H "Content-Type: image/png" -H "$RANGE" \\
  --data-binary @lighthouse.png

curl -sS -X POST ${base}/v1/characters \\
  -H "Authorization: Bearer $POMONA_KEY" \\
  -H "Content-Type: application/json" \\
  -d "{\\"name\\": \\"Keeper\\", \\"image\\": \\"$IMAGE_URL\\"}"`,
    `// keeper.mts: node keeper.mts
import { readFile } from 'node:fs/promises';

async function post(path: string, body: object) {
  const answer = await fetch('${base}' + path, {
    method: 'POST',
    headers: { authorization: \`Bearer \${process.env.POMONA_KEY}\`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const data: any = await answer.json();
  if (!answer.ok) throw new Error(data.error.message);
  return data;
}

const ticket = await post('/v1/uploads', { content_type: 'image/png' });
const sent = await fetch(ticket.upload_url, {
  method: ticket.method,
  headers: ticket.headers,
  body: await readFile('lighthouse.png'),
});
if (!sent.ok) throw new Error(await sent.text());

const character = await post('/v1/characters', { name: 'Keeper', image: ticket.url });
console.log(\`Write @\${character.handle} in a prompt.\`);`,
    `# keeper.py: python3 keeper.py
import json, os, urllib.error, urllib.request


def send(method, url, data, headers):
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        raise SystemExit(refusal.read().decode())


def post(path, body):
    headers = {
        "Authorization": f"Bearer {os.environ['POMONA_KEY']}",
        "Content-Type": "application/json",
    }
    return json.loads(send("POST", "${base}" + path, json.dumps(body).encode(), headers))


ticket = post("/v1/uploads", {"content_type": "image/png"})
with open("lighthouse.png", "rb") as file:
    send(ticket["method"], ticket["upload_url"], file.read(), ticket["headers"])

character = post("/v1/characters", {"name": "Keeper", "image": ticket["url"]})
print(f"Write @{character['handle']} in a prompt.")`,
  );

/** The price, and a limit that the submit keeps. */
export const priceFirst = (base: string, id: string): string =>
  `curl -sS -X POST ${base}/v1/${id}/estimate \\
  -H "Authorization: Bearer $POMONA_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"prompt": "a lighthouse at dusk"}'`;
