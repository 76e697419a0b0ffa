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

const CLIP_SECONDS = 15;

/** The form for a new reference: a picture, or for the kind audio a sound. */
export function CreateReference({ onClose }: { onClose: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const { register, submit, setValue, watch, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newReference,
    defaultValues: { name: '', handle: null, description: null, kind: 'location', image: null, audio: null },
    send: body => api.createReference({ body }),
    done: created => {
      queries.setQueryData(referencesQuery.queryKey, all => all && [created, ...all]);
      void queries.invalidateQueries({ queryKey: referencesQuery.queryKey });
      toast({ tone: 'good', title: `${created.name} is saved.`, description: `Write @${created.handle} in a prompt.` });
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
      <HandleField
        name={name}
        value={handle ?? ''}
        onChange={value => setValue('handle', value || null)}
        error={problem('handle')}
      />
    </>
  );
  return (
    <Dialog
      open
      title="New reference"
      description="Only you can mention it."
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy} disabled={isUploading}>
            {isUploading ? 'Uploading …' : 'Save reference'}
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
        <div className="grid gap-1.5">
          <SegmentedControl
            label="Kind"
            segments={KINDS.map(({ kind: value, one }) => ({ value, label: one }))}
            value={kind}
            onValueChange={choose}
          />
          <p className="text-xs text-faint">{words?.hint}</p>
        </div>
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
