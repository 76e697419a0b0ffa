'use client';

// what fails inside the studio leaves its frame
export { ErrorPage as default } from '#components/layout/error-page';
