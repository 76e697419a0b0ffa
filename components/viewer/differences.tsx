import { nameOf } from '#components/generations/name-of';
import { clockOf } from '#components/generations/words';
import { GemAmount } from '#components/ui/gem-amount';
import { settingsOf } from '#components/viewer/settings-of';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestDetailWire } from '#lib/contract/schemas';

/** Table of the settings that differ between the requests. */
export function Differences({
  requests,
  entries,
}: {
  requests: readonly RequestDetailWire[];
  entries: readonly CatalogEntry[];
}) {
  const told = requests.map(request => tell(request, entries));
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
              <th scope="col" className="w-24 md:w-36">
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
                <th scope="row" className="py-2 pl-5 text-left align-top text-xs font-normal text-faint">
                  {name}
                </th>
                {told.map((facts, index) => (
                  <td key={requests[index]?.request_id} className="figures px-3 py-2 align-top break-words">
                    {name === PRICE ? <GemAmount gems={Number(facts[name])} /> : (facts[name] ?? '–')}
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

const PRICE = 'Price';

/** Returns what is known of a request, under the names of the viewer. */
function tell(request: RequestDetailWire, entries: readonly CatalogEntry[]): Record<string, string> {
  const { architecture, model_id, result, billing } = request;
  const entry = entries.find(({ id }) => id === architecture);
  const facts: [string, unknown][] = [
    ['Prompt', nameOf(request)],
    ['Model', `${entry?.name ?? architecture} ${model_id}`],
    ['Length', result?.duration === undefined ? undefined : clockOf(result.duration)],
    ...settingsOf(request, entry),
    ['Seed', result?.seed],
    [PRICE, billing.gems_charged],
  ];
  const shown = facts.filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    shown.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}
