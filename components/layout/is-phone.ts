import { headers } from 'next/headers';

/** Whether a phone asks for the page: a guess, for what is laid out before its window can be measured. */
export const isPhone = async (): Promise<boolean> => /Mobi/.test((await headers()).get('user-agent') ?? '');
