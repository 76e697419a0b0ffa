/** In a dialog that is not the sheet with the form: what one does there is not meant for the form behind it. */
export const isInOtherDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog]')?.querySelector('form#create') === null;
