import { CodeBlock } from '#components/ui/code-block';
import type { ReactNode } from 'react';

const PROMPT = 'a lighthouse at dusk';

/** Three commands (submit, poll, download) that work unchanged with this deployment, given an API key. */
export function FirstRequest({ baseUrl, id, file }: { baseUrl: string; id: string; file: string }) {
  return (
    <ol className="grid">
      <Step
        number={1}
        title="Submit"
        code={`curl -sS -X POST ${baseUrl}/v1/${id}/generate \\\n  -H "Authorization: Bearer $POMONA_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"prompt":"${PROMPT}","aspect_ratio":"16:9"}' | tee request.json`}
      >
        Put an API key in <Word>POMONA_KEY</Word>; the first start of a deployment prints one. The answer comes at once,
        with a <Word>status_url</Word> and what it cost. Fields you leave out keep their defaults.
      </Step>
      <Step
        number={2}
        title="Poll"
        code={`STATUS_URL=$(sed -n 's/.*"status_url":"\\([^"]*\\)".*/\\1/p' request.json)\n\ncurl -sS "$STATUS_URL?wait=60" \\\n  -H "Authorization: Bearer $POMONA_KEY" | tee result.json`}
      >
        With <Word>wait</Word> the answer comes as soon as there is a result, or after that many seconds: then ask
        again. A failed request is refunded.
      </Step>
      <Step
        number={3}
        title="Download"
        code={`RESULT_URL=$(sed -n 's/.*"result":{"type":"[a-z]*","url":"\\([^"]*\\)".*/\\1/p' result.json)\n\ncurl -sS -o ${file} "$RESULT_URL"`}
      >
        <Word>result.url</Word> is a plain link: no key needed, kept for 30 days.
      </Step>
    </ol>
  );
}

function Step({ number, title, code, children }: { number: number; title: string; code: string; children: ReactNode }) {
  return (
    <li className="grid gap-x-10 gap-y-5 border-t py-8 lg:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1.7fr)]">
      <h3 className="font-title flex items-baseline gap-3 text-title">
        <span className="text-accent-ink">{number}</span>
        {title}
      </h3>
      <p className="max-w-prose text-soft">{children}</p>
      <CodeBlock title={`${title}, in a shell`} code={code} />
    </li>
  );
}

function Word({ children }: { children: string }) {
  return <code className="font-mono text-[0.875em] text-ink">{children}</code>;
}
