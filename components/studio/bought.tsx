import { GemAmount } from '#components/ui/gem-amount';

/** What auto top-up buys for a press; nothing where there is enough. */
export const Bought = ({ gems }: { gems: number }) =>
  gems > 0 && (
    <>
      Auto top-up adds <GemAmount gems={gems} className="text-soft" />.{' '}
    </>
  );
