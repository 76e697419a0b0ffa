import { Code, DocsPart } from '#components/docs/docs-part';
import { ERROR_WORDS } from '#lib/contract/error-words';
import type { WireCode } from '#lib/errors';
import { CodeBlock } from '#components/ui/code-block';

const EXAMPLE = {
  error: {
    code: 'invalid_config',
    message: 'aspect_ratio must be one of "16:9", "1:1", "9:16"; it is "16:10".',
    issues: [{ path: '/aspect_ratio', message: 'aspect_ratio must be one of "16:9", "1:1", "9:16"; it is "16:10".' }],
  },
};

/** Every refusal: its status, its code, when it comes and what a client does then. */
export function ErrorsPage({ rows }: { rows: readonly { code: string; wireCode: WireCode; status: number }[] }) {
  return (
    <article className="grid max-w-5xl gap-12">
      <header className="grid gap-3">
        <h1 className="font-title text-head">Errors</h1>
        <p className="max-w-prose text-soft">
          Every refusal has the same envelope, whatever goes wrong. <Code>message</Code> says what to do, and is safe to
          show. <Code>issues</Code> names all that is wrong with a body at once, by JSON pointer. Quote the header{' '}
          <Code>X-Request-Id</Code> when you ask the operator.
        </p>
      </header>
      <CodeBlock title="The envelope" code={JSON.stringify(EXAMPLE, null, 2)} />
      <DocsPart id="codes" title="Codes">
        <ul className="border-t">
          {rows.map(({ code, wireCode, status }) => (
            <li
              key={code}
              id={`${wireCode}-${status}`}
              className="grid scroll-mt-8 gap-x-6 gap-y-1 border-b py-3 text-sm target:bg-accent/10 md:grid-cols-[3rem_14rem_minmax(0,1fr)]"
            >
              <span className="figures text-faint">{status}</span>
              <span className="font-mono">{wireCode}</span>
              <p className="text-soft">
                {ERROR_WORDS[wireCode]?.when} <span className="text-ink">{ERROR_WORDS[wireCode]?.remedy}</span>
              </p>
            </li>
          ))}
        </ul>
      </DocsPart>
      <DocsPart id="generation-failed" title="A generation that fails">
        <p className="max-w-prose text-soft">
          is no HTTP error: its request has the status <Code>failed</Code> and{' '}
          <Code>{'error: {code: "generation_failed", message}'}</Code>, and its gems are back before you read it. Submit
          again with a new <Code>Idempotency-Key</Code>.
        </p>
      </DocsPart>
      <DocsPart id="retries" title="What is safe to send again">
        <p className="max-w-prose text-soft">
          A submit with the same <Code>Idempotency-Key</Code>, always: after <Code>500</Code>, after a lost connection,
          after <Code>submission_in_progress</Code>. <Code>429</Code> says with <Code>Retry-After</Code> how long to
          wait. <Code>400</Code>, <Code>402</Code>, <Code>403</Code>, <Code>410</Code> and <Code>451</Code> will be the
          same the next time, until something changes.
        </p>
      </DocsPart>
    </article>
  );
}
