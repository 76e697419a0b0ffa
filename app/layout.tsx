import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { FruitSheet } from '#components/architectures/fruit-sheet';
import { parseTheme, THEME_COOKIE } from '#components/layout/theme';
import { Toaster } from '#components/ui/toast';
import './globals.css';

// `scripts/fonts.ts` makes the subsets of both fonts
const fraunces = localFont({
  src: '../.fonts/fraunces.woff2',
  weight: '420',
  variable: '--font-fraunces',
  display: 'swap',
  adjustFontFallback: 'Times New Roman',
});
const inter = localFont({
  src: '../.fonts/inter.woff2',
  weight: '400 700',
  variable: '--font-inter',
  display: 'swap',
  adjustFontFallback: 'Arial',
});

export const metadata: Metadata = {
  title: { default: 'Pomona', template: '%s · Pomona' },
  description: 'Images, video and audio from one HTTP API, paid in gems.',
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f0e4' },
    { media: '(prefers-color-scheme: dark)', color: '#15110e' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      className={`${fraunces.variable} ${inter.variable}`}
      // the theme switch changes the attribute in the browser
      suppressHydrationWarning
    >
      <body>
        {children}
        <Toaster />
        <FruitSheet />
      </body>
    </html>
  );
}
