import { layerOf } from '#components/ui/layer-of';

/** In a dialog that is not the sheet with the form, or on its veil: what one does there is not meant for the form behind it. */
export const isInOtherDialog = (target: EventTarget | null): boolean =>
  layerOf(target)?.querySelector('form#create') === null;
