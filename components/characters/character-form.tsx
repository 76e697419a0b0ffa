'use client';

import { useCallback, useId } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ClipField } from '#components/cast/clip-field';
import { HandleField } from '#components/cast/handle-field';
import { ImageField } from '#components/cast/image-field';
import { PicturesField } from '#components/cast/pictures-field';
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
import { putCharacter } from '#lib/client/cast-api';
import { api, charactersQuery } from '#lib/client/queries';
import type { CharacterWire } from '#lib/contract/cast-schemas';
import { MORE_PICTURES } from '#lib/contract/more-pictures';

const VOICE_SECONDS = 10;

/** The form for a new character, or for one that changes. */
export function CharacterForm({ character, onClose }: { character?: CharacterWire; onClose: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const { register, submit, setValue, getValues, watch, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newCharacter,
    defaultValues: valuesOf(character),
    send: ({ handle, ...body }) => {
      if (!character) return api.createCharacter({ body: { handle, ...body } });
      const { additional_images, ...rest } = body;
      const params = { character_id: character.id };
      return api.changeCharacter({ params, body: { ...rest, additional_images: additional_images ?? [] } });
    },
    done: saved => {
      putCharacter(queries, saved);
      void queries.invalidateQueries({ queryKey: charactersQuery.queryKey });
      toast(
        character
          ? { tone: 'good', title: `${saved.name} is changed.`, description: 'From the next generation on.' }
          : { tone: 'good', title: `${saved.name} is ready.`, description: `Write @${saved.handle} in a prompt.` },
      );
      onClose();
    },
  });
  const [name, handle, image, more, voice] = watch(['name', 'handle', 'image', 'additional_images', 'voice']);
  const set = useCallback(
    (field: string, url: string) => {
      const shown = { shouldDirty: true, shouldValidate: url !== '' };
      if (field === 'image') setValue('image', url, shown);
      else if (field === 'voice') setValue('voice', url || null, { shouldDirty: true });
      else setValue('additional_images', [...(getValues('additional_images') ?? []), url], shown);
    },
    [setValue, getValues],
  );
  const setMore = (urls: string[]) => setValue('additional_images', urls, { shouldDirty: true });
  const uploads = useMediaUploads(set);
  const isUploading = uploads.pending.some(({ error }) => !error);
  const imageProblem = problem('image');
  const pictures = more ?? [];
  return (
    <Dialog
      open
      title={character ? `Change ${character.name}` : 'New character'}
      description={character ? 'What was made keeps what it was made with.' : 'Private until you publish it.'}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} tone="primary" busy={busy} disabled={isUploading}>
            {isUploading ? 'Uploading …' : character ? 'Save changes' : 'Save character'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={submit}
        onPaste={takePasted(uploads, image ? 'additional_images' : 'image', 'voice')}
        className="grid gap-6"
      >
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
          {character ? (
            <p className="text-sm text-soft">
              Prompts go on saying <span className="text-accent-ink">@{character.handle}</span>.
            </p>
          ) : (
            <HandleField
              name={name}
              value={handle ?? ''}
              onChange={value => setValue('handle', value || null)}
              error={problem('handle')}
            />
          )}
        </ImageField>
        <p className="text-xs text-faint">
          A JPEG, PNG, WebP, AVIF or GIF: drop it on the frame, paste it, or browse. One face, well lit, works best.
        </p>
        {(image || pictures.length > 0) && (
          <PicturesField
            name="additional_images"
            value={pictures}
            most={MORE_PICTURES}
            onChange={setMore}
            onPortrait={index => {
              setMore(image ? pictures.with(index, image) : pictures.toSpliced(index, 1));
              set('image', pictures[index]!);
            }}
            uploads={uploads}
            error={problem('additional_images')}
          />
        )}
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

const valuesOf = (character?: CharacterWire) => ({
  name: character?.name ?? '',
  handle: character?.handle ?? null,
  description: character?.description ?? null,
  image: character?.image_url ?? '',
  additional_images: character?.additional_image_urls ?? [],
  voice: character?.voice_url ?? null,
});
