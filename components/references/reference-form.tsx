'use client';

import { useCallback, useId } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ClipField } from '#components/cast/clip-field';
import { HandleField } from '#components/cast/handle-field';
import { ImageField } from '#components/cast/image-field';
import { takePasted } from '#components/cast/take-pasted';
import { KINDS } from '#components/references/kinds';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Textarea } from '#components/ui/textarea';
import { toast } from '#components/ui/toast';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { api, referencesQuery } from '#lib/client/queries';
import type { ReferenceWire } from '#lib/contract/cast-schemas';

const CLIP_SECONDS = 15;

/** The form for a new reference, or for one that changes: a picture, or for the kind audio a sound. */
export function ReferenceForm({ reference, onClose }: { reference?: ReferenceWire; onClose: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const { register, submit, setValue, watch, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newReference,
    defaultValues: valuesOf(reference),
    send: body => {
      if (!reference) return api.createReference({ body });
      const { name, description, image, audio } = body;
      const files = { ...(image && { image }), ...(audio && { audio }) };
      return api.changeReference({ params: { reference_id: reference.id }, body: { name, description, ...files } });
    },
    done: saved => {
      void queries.invalidateQueries({ queryKey: referencesQuery.queryKey });
      toast(
        reference
          ? { tone: 'good', title: `${saved.name} is changed.`, description: 'From the next generation on.' }
          : { tone: 'good', title: `${saved.name} is saved.`, description: `Write @${saved.handle} in a prompt.` },
      );
      onClose();
    },
  });
  const [kind, name, handle, image, audio] = watch(['kind', 'name', 'handle', 'image', 'audio']);
  const set = useCallback(
    (field: string, url: string) =>
      setValue(field === 'image' ? 'image' : 'audio', url || null, { shouldDirty: true, shouldValidate: url !== '' }),
    [setValue],
  );
  const uploads = useMediaUploads(set);
  const isUploading = uploads.pending.some(({ error }) => !error);
  const isSound = kind === 'audio';
  const words = KINDS.find(other => other.kind === kind);
  const choose = (value: string) => {
    const chosen = KINDS.find(other => other.kind === value);
    if (!chosen) return;
    for (const { id: upload } of uploads.pending) uploads.stop(upload);
    setValue('kind', chosen.kind);
    setValue(value === 'audio' ? 'image' : 'audio', null);
  };
  const imageProblem = problem('image');
  const texts = (
    <>
      <Field label="Name" required error={problem('name')}>
        <Input
          autoComplete="off"
          maxLength={50}
          placeholder={isSound ? 'Rain on tin' : 'Old harbour'}
          {...register('name')}
        />
      </Field>
      {reference ? (
        <p className="text-sm text-soft">
          Prompts go on saying <span className="text-accent-ink">@{reference.handle}</span>.
        </p>
      ) : (
        <HandleField
          name={name}
          value={handle ?? ''}
          onChange={value => setValue('handle', value || null)}
          error={problem('handle')}
        />
      )}
    </>
  );
  return (
    <Dialog
      open
      title={reference ? `Change ${reference.name}` : 'New reference'}
      description={reference ? 'What was made keeps what it was made with.' : 'Only you can mention it.'}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy} disabled={isUploading}>
            {isUploading ? 'Uploading …' : reference ? 'Save changes' : 'Save reference'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={submit}
        onPaste={takePasted(uploads, isSound ? null : 'image', isSound ? 'audio' : null)}
        className="grid gap-6"
      >
        {refusal && <Alert tone="bad" title={refusal.message} />}
        {!reference && (
          <div className="grid gap-1.5">
            <SegmentedControl
              label="Kind"
              segments={KINDS.map(({ kind: value, one }) => ({ value, label: one }))}
              value={kind}
              onValueChange={choose}
            />
            <p className="text-xs text-faint">{words?.hint}</p>
          </div>
        )}
        {isSound ? (
          <>
            {texts}
            <ClipField
              name="audio"
              label="Sound"
              seconds={CLIP_SECONDS}
              value={audio ?? ''}
              onChange={url => set('audio', url)}
              uploads={uploads}
              required
              error={problem('audio') && 'Record a sound, or take a file.'}
            />
          </>
        ) : (
          <ImageField
            name="image"
            label="Picture"
            value={image ?? ''}
            onChange={url => set('image', url)}
            uploads={uploads}
            error={imageProblem && (image ? imageProblem : 'Add a picture.')}
          >
            {texts}
          </ImageField>
        )}
        <Field label="Notes" aside="optional" error={problem('description')} hint="For you. Models do not read them.">
          <Textarea rows={2} maxLength={500} {...register('description', { setValueAs: asText })} />
        </Field>
      </form>
    </Dialog>
  );
}

const valuesOf = (reference?: ReferenceWire) => ({
  name: reference?.name ?? '',
  handle: reference?.handle ?? null,
  description: reference?.description ?? null,
  kind: reference?.kind ?? ('location' as const),
  image: reference?.image_url ?? null,
  audio: reference?.audio_url ?? null,
});
