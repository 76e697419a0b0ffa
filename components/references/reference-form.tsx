'use client';

import { useCallback, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CastDialog, NameFields, savedNotice } from '#components/cast/cast-dialog';
import { ClipField } from '#components/cast/clip-field';
import { ImageField } from '#components/cast/image-field';
import { takePasted } from '#components/cast/take-pasted';
import { KINDS } from '#components/references/kinds';
import { useMediaUploads } from '#components/studio/use-media-uploads';
import { SegmentedControl } from '#components/ui/segmented-control';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { putReference } from '#lib/client/cast-api';
import { referencesQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import { CLIP_SECONDS } from '#lib/contract/cast-limits';
import type { ReferenceWire } from '#lib/contract/cast-schemas';

/** Form to create or change a reference: an image, or a sound for the kind `audio`. */
export function ReferenceForm({ reference, onClose }: { reference?: ReferenceWire; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useContractForm({
    schema: async () => (await import('#lib/contract/cast-schemas')).newReference,
    defaultValues: valuesOf(reference),
    send: (body, { name, description, image, audio }) => {
      if (!reference) return api.createReference({ body });
      const files = { ...(image && { image }), ...(audio && { audio }) };
      return api.changeReference({ params: { reference_id: reference.id }, body: { name, description, ...files } });
    },
    done: saved => {
      putReference(queries, saved);
      void queries.invalidateQueries({ queryKey: referencesQuery.queryKey });
      toast(savedNotice(!reference, saved));
      onClose();
    },
  });
  const { setValue, watch, problem } = form;
  const [kind, image, audio] = watch(['kind', 'image', 'audio']);
  const set = useCallback(
    (field: string, url: string) =>
      setValue(field === 'image' ? 'image' : 'audio', url || null, { shouldDirty: true, shouldValidate: url !== '' }),
    [setValue],
  );
  const uploads = useMediaUploads(set);
  const isSound = kind === 'audio';
  // the image while the kind is audio, or the sound while it is not, in case the user goes back
  const aside = useRef<string | null>(null);
  const words = KINDS.find(other => other.kind === kind);
  const choose = (value: string) => {
    const chosen = KINDS.find(other => other.kind === value);
    if (!chosen) return;
    setValue('kind', chosen.kind, { shouldDirty: true });
    if ((value === 'audio') === isSound) return;
    for (const { id: upload } of uploads.pending) uploads.stop(upload);
    const [taken, left] = isSound ? (['image', 'audio'] as const) : (['audio', 'image'] as const);
    setValue(taken, aside.current);
    aside.current = (isSound ? audio : image) ?? null;
    setValue(left, null);
  };
  const imageProblem = problem('image');
  const soundProblem = problem('audio');
  const names = <NameFields saved={reference} placeholder={isSound ? 'Rain on tin' : 'Old harbour'} form={form} />;
  return (
    <CastDialog
      saved={reference}
      noun="reference"
      about="Only you can mention it."
      form={form}
      uploads={uploads}
      onPaste={takePasted(uploads, isSound ? null : { field: 'image' }, isSound ? { field: 'audio' } : null)}
      onClose={onClose}
    >
      {!reference && (
        <div className="grid gap-1.5">
          <SegmentedControl
            label="Kind"
            segments={KINDS.map(({ kind: value, one }) => ({ value, label: one }))}
            value={kind}
            onValueChange={choose}
            className="max-sm:[&_label]:px-1"
          />
          <p className="text-xs text-faint">{words?.hint}</p>
        </div>
      )}
      {isSound ? (
        <>
          {names}
          <ClipField
            name="audio"
            label="Audio"
            seconds={CLIP_SECONDS}
            value={audio ?? ''}
            onChange={url => set('audio', url)}
            uploads={uploads}
            required
            error={soundProblem && (audio ? soundProblem : 'Record audio, or choose a file.')}
          />
        </>
      ) : (
        <ImageField
          label="Image"
          value={image ?? ''}
          onChange={url => set('image', url)}
          uploads={uploads}
          error={imageProblem && (image ? imageProblem : 'Add an image.')}
        >
          {names}
        </ImageField>
      )}
    </CastDialog>
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
