'use client';

import { useId, useState, type ComponentProps, type ReactNode, type SubmitEventHandler } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ClipBusy } from '#components/cast/clip-busy';
import { HandleField } from '#components/cast/handle-field';
import { mendOf } from '#components/studio/blocked-by';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Textarea } from '#components/ui/textarea';
import { asText } from '#components/ui/use-contract-form';
import { ABOUT_LENGTH, CAST_NAME_LENGTH } from '#lib/contract/cast-limits';

/** Common part of the forms for characters and references. */
interface CastForm {
  submit: SubmitEventHandler<HTMLFormElement>;
  busy: boolean;
  dirty: boolean;
  refusal: Error | null;
  problem: (field: 'name' | 'handle' | 'description') => string | undefined;
  register: (
    field: 'name' | 'description',
    options?: { setValueAs: (value: unknown) => unknown },
  ) => UseFormRegisterReturn;
  watch: (fields: ['name', 'handle']) => [string, string | null | undefined];
  setValue: (field: 'handle', handle: string | null, options: { shouldDirty: true }) => void;
}

/** Dialog to create or change a character or reference: its fields, then the notes. */
export function CastDialog({
  saved,
  noun,
  about,
  form: { submit, busy, dirty, refusal, problem, register },
  uploads,
  onPaste,
  onClose,
  children,
}: {
  /** The item that is being changed; undefined for a new one. */
  saved: { name: string } | undefined;
  noun: string;
  /** Description shown for a new item. */
  about: string;
  form: CastForm;
  uploads: MediaUploads;
  onPaste: ComponentProps<'form'>['onPaste'];
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const [isClipBusy, setClipBusy] = useState(false);
  const { pending } = uploads;
  // saving now would leave out the clip or the uploads
  const waitsFor = isClipBusy
    ? 'Finish the clip first'
    : pending.some(({ error }) => !error)
      ? 'Uploading …'
      : pending.length > 0 && mendOf(pending);
  return (
    <Dialog
      open
      title={saved ? `Change ${saved.name}` : `New ${noun}`}
      description={saved ? 'Earlier results do not change.' : about}
      isUnsaved={dirty || isClipBusy || pending.length > 0}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy} disabled={waitsFor !== false}>
            {waitsFor || (saved ? 'Save changes' : `Save ${noun}`)}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} onPaste={onPaste} className="grid gap-6">
        {refusal && <Alert tone="bad" title={refusal.message} />}
        <ClipBusy value={setClipBusy}>{children}</ClipBusy>
        <Field label="Notes" aside="optional" error={problem('description')} hint="For you. Models do not read them.">
          <Textarea rows={2} maxLength={ABOUT_LENGTH} {...register('description', { setValueAs: asText })} />
        </Field>
      </form>
    </Dialog>
  );
}

/** Name, and the handle used in prompts, which can be chosen only for a new item. */
export function NameFields({
  saved,
  placeholder,
  form: { problem, register, watch, setValue },
}: {
  saved: { handle: string } | undefined;
  placeholder: string;
  form: CastForm;
}) {
  const [name, handle] = watch(['name', 'handle']);
  return (
    <>
      <Field label="Name" required error={problem('name')}>
        <Input autoComplete="off" maxLength={CAST_NAME_LENGTH} placeholder={placeholder} {...register('name')} />
      </Field>
      {saved ? (
        <p className="text-sm text-soft">
          Prompts still say <span className="text-accent-ink">@{saved.handle}</span>.
        </p>
      ) : (
        <HandleField
          name={name}
          value={handle ?? ''}
          onChange={value => setValue('handle', value || null, { shouldDirty: true })}
          error={problem('handle')}
        />
      )}
    </>
  );
}

/** Returns the toast shown after saving. */
export const savedNotice = (isNew: boolean, { name, handle }: { name: string; handle: string }) =>
  ({
    tone: 'good',
    title: `${name} is ${isNew ? 'saved' : 'changed'}.`,
    description: isNew ? `Write @${handle} in a prompt.` : 'From the next generation on.',
  }) as const;
