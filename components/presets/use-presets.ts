'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import { presetsQuery } from '#lib/client/library-queries';
import { orGone } from '#lib/client/or-gone';
import type { NewPreset, PresetWire } from '#lib/contract/library-schemas';

/** Returns the presets and styles of the account, and the acts on them. Failures are shown as toasts. */
export function usePresets() {
  const queries = useQueryClient();
  const query = useQuery(presetsQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => queries.invalidateQueries({ queryKey: presetsQuery.queryKey }),
    onError: error => toast({ tone: 'bad', title: 'It was not saved.', description: error.message }),
  });
  // `onSaved` is called inside the mutation: of overlapping `mutate` calls, only the last one's callbacks would run
  const save = (body: NewPreset, onSaved?: () => void) =>
    mutate(async () => {
      await studioApi.createPreset({ body });
      onSaved?.();
    });
  return {
    query,
    isBusy: isPending,
    save,
    rename: ({ id }: PresetWire, name: string, onSaved: () => void) =>
      mutate(async () => {
        await studioApi.renamePreset({ params: { preset_id: id }, body: { name } });
        onSaved();
      }),
    remove: ({ id, name, architecture, settings }: PresetWire) =>
      mutate(async () => {
        await orGone(studioApi.removePreset({ params: { preset_id: id } }));
        toast({
          title: `“${name}” is deleted`,
          duration: 10_000,
          action: { label: 'Undo', onPress: () => save({ name, architecture, settings }) },
        });
      }),
  };
}
