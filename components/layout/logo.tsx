import { cn } from '#components/ui/cn';

/** The persimmon mark of Pomona. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden className={cn('inline-block size-8 shrink-0', className)}>
      <path d="M24 12C35 7 46 14 45.5 27 45 39 36 45 24 45 12 45 3 39 2.5 27 2 14 13 7 24 12Z" fill="#ef6a2f" />
      <path d="M38 10.5C43 13.5 45.8 19.5 45.5 27 45 39 36 45 24 45 37 38 42 24 38 10.5Z" fill="#cf4d1a" />
      <path d="M8.5 28C8 22 10.5 18.5 14 17" stroke="#fbb98f" strokeWidth="2.6" fill="none" strokeLinecap="round" />
      <path
        d="M24 14C20 18.5 14 18.5 10 14.5 14 9.5 20 9 24 12 28 9 34 9.5 38 14.5 34 18.5 28 18.5 24 14Z"
        fill="#5f8a3c"
      />
      <path d="M24 13C20.5 15 20 19 24 23.5 28 19 27.5 15 24 13Z" fill="#47702c" />
      <path d="M24 12C24 8 24.5 5.5 27 3" stroke="#6d5238" strokeWidth="2.6" fill="none" strokeLinecap="round" />
    </svg>
  );
}

/** Mark and name, to be wrapped in a link. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark className="size-7" />
      <span className="font-title text-title">Pomona</span>
    </span>
  );
}
