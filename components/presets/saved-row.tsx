'use client';

import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { Check, Ellipsis, Pencil, Trash2, X } from 'lucide-react';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { NAME_LENGTH } from '#lib/contract/library-limits';

/** Something saved under a name: a press uses it, its menu renames and deletes it. */
export function SavedRow({
  name,
  detail,
  icon,
  isOn,
  isBusy,
  onUse,
  onRename,
  onRemove,
}: {
  name: string;
  detail: string;
  icon?: ReactNode;
  /** Whether it is in use; omitted where a press is just an act. */
  isOn?: boolean;
  /** Whether something is being saved. */
  isBusy: boolean;
  onUse: () => void;
  /** Calls `onSaved` when the name is saved. */
  onRename: (name: string, onSaved: () => void) => void;
  onRemove: () => void;
}) {
  const [isRenaming, setRenaming] = useState(false);
  const kept = useKeptFocus<HTMLLIElement>();
  if (isRenaming)
    return (
      <li {...kept}>
        <RenameForm
          name={name}
          isBusy={isBusy}
          onDone={next => {
            const close = () => setRenaming(false);
            if (next && next !== name) onRename(next, close);
            else close();
          }}
        />
      </li>
    );
  return (
    <li {...kept} className={cn('flex items-center gap-1 rounded-md hover:bg-ink/5', isOn && 'bg-ink/5')}>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={onUse}
        className="flex min-h-13 min-w-0 grow items-center gap-3 rounded-md px-2 py-1.5 text-left focus-visible:rounded-md"
      >
        {icon}
        <span className="grid min-w-0 grow">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          <span dir="auto" className="truncate text-xs text-faint">
            {detail}
          </span>
        </span>
        {isOn && <Check className="size-4 shrink-0 text-accent-ink" aria-hidden />}
      </button>
      <DropdownMenu
        trigger={<IconButton label={`More: ${name}`} size="sm" icon={<Ellipsis className="size-4" aria-hidden />} />}
        items={[
          { label: 'Rename', icon: <Pencil aria-hidden />, onSelect: () => setRenaming(true) },
          { label: 'Delete', icon: <Trash2 aria-hidden />, danger: true, onSelect: onRemove },
        ]}
      />
    </li>
  );
}

/** `onDone` gets the new name; undefined keeps the old one. */
function RenameForm({ name, isBusy, onDone }: { name: string; isBusy: boolean; onDone: (name?: string) => void }) {
  const [text, setText] = useState(name);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onDone(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-2 py-1.5">
      <Input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked for this form
        autoFocus
        aria-label="Name"
        maxLength={NAME_LENGTH}
        value={text}
        onChange={event => setText(event.target.value)}
        onFocus={event => event.target.select()}
      />
      <Button type="submit" tone="primary" busy={isBusy}>
        Rename
      </Button>
      <IconButton label="Keep the name" icon={<X className="size-4" aria-hidden />} onClick={() => onDone()} />
    </form>
  );
}
