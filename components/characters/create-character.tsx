'use client';

import { useCallback, useId } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ClipField } from '#components/cast/clip-field';
import { HandleField } from '#components/cast/handle-field';
import { ImageField } from '#components/cast/image-field';
import { takePasted } from '#components/cast/take-pasted';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Textarea } from '#components/ui/textarea';
import { toast } from '#components/ui/toast';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { api, charactersQuery } from '#lib/client/queries';

const VOICE_SECONDS = 10;

/** The form for a new character. */
export function CreateCharacter({ onClose }: { onClose: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const { register, submit, setValue, watch, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newCharacter,
    defaultValues: { name: '', handle: null, description: null, image: '', voice: null },
    send: body => api.createCharacter({ body }),
    done: created => {
      queries.setQueryData(charactersQuery.queryKey, all => all && [created, ...all]);
      void queries.invalidateQueries({ queryKey: charactersQuery.queryKey });
      toast({ tone: 'good', title: `${created.name} is ready.`, description: `Write @${created.handle} in a prompt.` });
      onClose();
    },
  });
  const [name, handle, image, voice] = watch(['name', 'handle', 'image', 'voice']);
  const set = useCallback(
    (field: string, url: string) =>
      field === 'image'
        ? setValue('image', url, { shouldDirty: true, shouldValidate: url !== '' })
        : setValue('voice', url || null, { shouldDirty: true }),
    [setValue],
  );
  const uploads = useMediaUploads(set);
  const isUploading = uploads.pending.some(({ error }) => !error);
  const imageProblem = problem('image');
  return (
    <Dialog
      open
      title="New character"
      description="Private until you publish it."
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy} disabled={isUploading}>
            {isUploading ? 'Uploading …' : 'Save character'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} onPaste={takePasted(uploads, 'image', 'voice')} className="grid gap-6">
        {refusal && <Alert tone="bad" title={refusal.message} />}
        <ImageField
          name="image"
          label="Portrait"
          value={image}
          onChange={url => set('image', url)}
          uploads={uploads}
          error={imageProblem && (image ? imageProblem : 'Add a portrait.')}
        >
          <Field label="Name" required error={problem('name')}>
            <Input autoComplete="off" maxLength={50} placeholder="Ana" {...register('name')} />
          </Field>
          <HandleField
            name={name}
            value={handle ?? ''}
            onChange={value => setValue('handle', value || null)}
            error={problem('handle')}
          />
        </ImageField>
        <p className="text-xs text-faint">
          A JPEG, PNG, WebP, AVIF or GIF: drop it on the frame, paste it, or browse. One face, well lit, works best.
        </p>
        <ClipField
          name="voice"
          label="Voice"
          seconds={VOICE_SECONDS}
          value={voice ?? ''}
          onChange={url => set('voice', url)}
          uploads={uploads}
          error={problem('voice')}
        />
        <Field label="Notes" aside="optional" error={problem('description')} hint="For you. Models do not read them.">
          <Textarea rows={2} maxLength={500} {...register('description', { setValueAs: asText })} />
        </Field>
      </form>
    </Dialog>
  );
}
