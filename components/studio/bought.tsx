import { GemAmount } from '#components/ui/gem-amount';

/** Says how many gems auto top-up would buy for a submit; renders nothing if none are needed. */
export const Bought = ({ gems }: { gems: number }) =>
  gems > 0 && (
    <>
      Auto top-up adds <GemAmount gems={gems} className="text-soft" />.{' '}
    </>
  );
