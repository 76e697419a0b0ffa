'use client';

import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CastDialog, NameFields, savedNotice } from '#components/cast/cast-dialog';
import { ClipField } from '#components/cast/clip-field';
import { ImageField } from '#components/cast/image-field';
import { ImagesField } from '#components/cast/images-field';
import { takePasted } from '#components/cast/take-pasted';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { putCharacter } from '#lib/client/cast-api';
import { charactersQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import { MORE_IMAGES, VOICE_SECONDS } from '#lib/contract/cast-limits';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** Form to create or change a character. */
export function CharacterForm({ character, onClose }: { character?: CharacterWire; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newCharacter,
    defaultValues: valuesOf(character),
    send: (body, { name, description, image, additional_images: more, voice }) => {
      if (!character) return api.createCharacter({ body });
      const params = { character_id: character.id };
      // only changed fields are sent, because the others may have changed on the server
      return api.changeCharacter({
        params,
        body: { name, description, image, additional_images: more ?? undefined, voice },
      });
    },
    done: saved => {
      putCharacter(queries, saved);
      void queries.invalidateQueries({ queryKey: charactersQuery.queryKey });
      toast(savedNotice(!character, saved));
      onClose();
    },
  });
  const { setValue, getValues, watch, problem } = form;
  const [image, more, voice] = watch(['image', 'additional_images', 'voice']);
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
  const imageProblem = problem('image');
  const pictures = more ?? [];
  return (
    <CastDialog
      saved={character}
      noun="character"
      about="Private until you publish it."
      form={form}
      uploads={uploads}
      onPaste={takePasted(
        uploads,
        image ? { field: 'additional_images', room: MORE_IMAGES - pictures.length } : { field: 'image' },
        { field: 'voice' },
      )}
      onClose={onClose}
    >
      <ImageField
        label="Portrait"
        value={image}
        onChange={url => set('image', url)}
        uploads={uploads}
        error={imageProblem && (image ? imageProblem : 'Add a portrait.')}
      >
        <NameFields saved={character} placeholder="Ana" form={form} />
      </ImageField>
      <p className="text-xs text-faint">
        A JPEG, PNG, WebP, AVIF or GIF
        {/* touch screens cannot drop files */}
        <span className="pointer-coarse:hidden">: drop it on the frame, paste it, or browse</span>. One face, well lit,
        works best.
      </p>
      {(image || pictures.length > 0) && (
        <ImagesField
          name="additional_images"
          value={pictures}
          most={MORE_IMAGES}
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
    </CastDialog>
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
