'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/toast';
import { accountApi } from '#lib/client/account-api';
import { presetsQuery } from '#lib/client/library-queries';
import type { NewPreset, PresetWire } from '#lib/contract/library-schemas';

/** Presets and styles of the account, and what can be done with them. What fails is told. */
export function usePresets() {
  const client = useQueryClient();
  const query = useQuery(presetsQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => client.invalidateQueries({ queryKey: presetsQuery.queryKey }),
    onError: error => toast({ tone: 'bad', title: 'That was not saved.', description: error.message }),
  });
  const save = (body: NewPreset, onSuccess?: () => void) =>
    mutate(() => accountApi.createPreset({ body }), { ...(onSuccess && { onSuccess }) });
  return {
    query,
    isBusy: isPending,
    save,
    rename: ({ id }: PresetWire, name: string) =>
      mutate(() => accountApi.renamePreset({ params: { preset_id: id }, body: { name } })),
    remove: ({ id, name, architecture, settings }: PresetWire) =>
      mutate(() => accountApi.removePreset({ params: { preset_id: id } }), {
        onSuccess: () =>
          void toast({
            title: `“${name}” is deleted`,
            duration: 10_000,
            action: { label: 'Undo', onPress: () => save({ name, architecture, settings }) },
          }),
      }),
  };
}
