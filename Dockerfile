# syntax=docker/dockerfile:1
# The service in an image with glibc alone. The executable comes first: `npm run executable`, or release/cs-linux-arm64 for ARM.
FROM --platform=$BUILDPLATFORM busybox:stable AS folders
RUN mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
ARG TARGETARCH
COPY --chmod=755 release/cs-linux-${TARGETARCH/amd64/x64} /usr/bin/cs
COPY --from=folders --chown=65532:65532 /data /data
# The image library is unpacked below CS_CACHE_DIR.
ENV CS_DATA=/data CS_HOST=0.0.0.0 CS_CACHE_DIR=/tmp/cs
USER 65532:65532
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/bin/cs", "serve", "--ready"]
ENTRYPOINT ["/usr/bin/cs"]
CMD ["serve"]
