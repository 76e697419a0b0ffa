import { cn } from '#components/ui/cn';

/** Marks a result or a model as drawn by the preview engine, without a real model. */
export function PreviewBadge({ onMedia, className }: { onMedia?: boolean; className?: string }) {
  return (
    <span
      title="Drawn by the built-in preview engine: no model made it"
      className={cn(
        'inline-flex items-center rounded-full px-2 py-px text-xs whitespace-nowrap',
        onMedia ? 'bg-[#15110ec7] text-[#f2eadd]' : 'border border-dashed border-edge/70 text-faint',
        className,
      )}
    >
      Preview
      <span className="sr-only">, drawn without a model</span>
    </span>
  );
}
