'use client';

export { ErrorPage as default } from '#components/layout/error-page';
