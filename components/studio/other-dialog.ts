import { layerOf } from '#components/ui/layer-of';

/** Whether the target is in a dialog without the form, or on its overlay: such events are not meant for the form. */
export const isInOtherDialog = (target: EventTarget | null): boolean =>
  layerOf(target)?.querySelector('form#create') === null;
