import { nameOf } from '#components/generations/name-of';
import type { RequestDetailWire } from '#lib/contract/schemas';

/** Table of the settings that differ between the requests. */
export function Differences({ requests }: { requests: readonly RequestDetailWire[] }) {
  const told = requests.map(tell);
  const names = [...new Set(told.flatMap(facts => Object.keys(facts)))].filter(name =>
    told.some(facts => facts[name] !== told[0]?.[name]),
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be focusable
    <section tabIndex={0} aria-label="What differs" className="max-h-[30dvh] overflow-y-auto border-t bg-raised">
      {names.length === 0 ? (
        <p className="p-5 text-sm text-soft">All settings are the same.</p>
      ) : (
        <table className="w-full table-fixed text-sm">
          <caption className="sr-only">What differs</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Setting</span>
              </th>
              {requests.map(({ request_id }, index) => (
                <th key={request_id} scope="col" className="figures px-3 pt-2 text-left text-xs font-normal text-faint">
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map(name => (
              <tr key={name} className="border-b last:border-0">
                <th scope="row" className="w-24 py-2 pl-5 text-left align-top text-xs font-normal text-faint md:w-36">
                  {name.replaceAll('_', ' ')}
                </th>
                {told.map((facts, index) => (
                  <td key={requests[index]?.request_id} className="figures px-3 py-2 align-top break-words">
                    {facts[name] ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function tell(request: RequestDetailWire): Record<string, string> {
  const { architecture, config, result, billing } = request;
  const { prompt: _prompt, ...settings } = config;
  const facts = {
    prompt: nameOf(request),
    model: architecture,
    ...settings,
    seed: result?.seed,
    gems: billing.gems_charged,
  };
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(
    shown.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}
