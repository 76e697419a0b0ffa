import { CopyButton } from '#components/ui/copy-button';

/** What was asked for, in full. */
export const ViewerPrompt = ({ prompt }: { prompt: string }) => (
  <section aria-label="Prompt" className="grid gap-2">
    {/* where it goes on, a line of it is cut in half */}
    <p dir="auto" className="max-h-33 overflow-y-auto text-base lg:max-h-63 leading-6 whitespace-pre-wrap">
      {prompt || 'No prompt'}
    </p>
    {prompt && <CopyButton text={prompt} label="Copy prompt" className="-ml-3 justify-self-start" />}
  </section>
);
