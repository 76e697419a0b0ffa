import { headers } from 'next/headers';

/** Guesses from the user agent whether a phone requests the page, for layout before the viewport can be measured. */
export const isPhone = async (): Promise<boolean> => /Mobi/.test((await headers()).get('user-agent') ?? '');
