import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { cn } from '#components/ui/cn';

const TONES = {
  info: { look: 'border-info/50 bg-info/8 [--mark:var(--color-info)]', Icon: Info },
  good: { look: 'border-leaf/50 bg-leaf/8 [--mark:var(--color-leaf)]', Icon: CircleCheck },
  warn: { look: 'border-amber/50 bg-amber/8 [--mark:var(--color-amber)]', Icon: CircleAlert },
  bad: { look: 'border-danger/50 bg-danger/8 [--mark:var(--color-danger)]', Icon: CircleAlert },
};

/** A message at the place that it concerns. Screen readers announce failures immediately. */
export function Alert({
  tone = 'info',
  title,
  children,
  action,
  className,
}: {
  tone?: keyof typeof TONES;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const { look, Icon } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cn('flex items-start gap-3 rounded-md border px-4 py-3 text-sm', look, className)}
    >
      <Icon className="mt-0.5 size-4.5 shrink-0 text-(--mark)" aria-hidden />
      <div className="grid min-w-0 grow gap-1 wrap-anywhere">
        <p className="font-medium">{title}</p>
        {children && <div className="text-soft">{children}</div>}
        {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
