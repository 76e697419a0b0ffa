import { GemAmount } from '#components/ui/gem-amount';

/** What auto top-up buys before a press is paid; nothing where there is enough. */
export const BoughtFirst = ({ gems }: { gems: number }) =>
  gems > 0 && (
    <>
      Auto top-up buys <GemAmount gems={gems} className="text-soft" /> first.{' '}
    </>
  );
