import { Emblem } from '#components/architectures/emblem';
import { cn } from '#components/ui/cn';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** Maximum number of frames drawn for one step. */
const MOST = 4;

/** Draws the steps of a recipe: for each, a stack of frames with the emblem of its model. */
export function StepStrip({ steps, className }: { steps: RecipeWire['steps']; className: string }) {
  return (
    <div
      aria-hidden
      className={cn('flex min-w-0 items-center justify-center gap-2 overflow-hidden bg-sunk px-3', className)}
    >
      {steps.map(({ id, architecture, count }) => (
        <span
          key={id}
          className="flex items-center gap-2 not-first:before:h-px not-first:before:w-3 not-first:before:bg-edge"
        >
          <span className="flex">
            {Array.from({ length: Math.min(Math.max(count, 1), MOST) }, (_, index) => (
              <span
                key={index}
                className="grid size-12 place-items-center rounded-md border bg-raised shadow-float not-first:-ml-8"
              >
                <Emblem id={architecture} className="size-7" />
              </span>
            ))}
          </span>
        </span>
      ))}
    </div>
  );
}
