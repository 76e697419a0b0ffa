import { CodeBlock } from '#components/ui/code-block';
import { Tabs } from '#components/ui/tabs';

/** The same code in several languages. `title` says what it does, for the labels of the copy buttons. */
export function CodeTabs({
  title,
  codes,
}: {
  title: string;
  codes: readonly { value: string; label: string; code: string }[];
}) {
  const tabs = codes.map(({ value, label, code }) => ({
    value,
    label,
    content: <CodeBlock title={`${title}, ${label}`} code={code} />,
  }));
  return <Tabs label={`${title}: language`} tabs={tabs} className="min-w-0 [&_[role=tabpanel]]:pt-3" />;
}
