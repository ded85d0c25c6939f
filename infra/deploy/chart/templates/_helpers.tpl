{{/* What each role is, which no value changes. `broker` is its user there, `storageKeys` what its keys of storage begin with in the Secret. */}}
{{- define "vaak.roles" -}}
gateway: { name: gateway, command: gateway, broker: gateway, port: 8080, metricsPort: 9464, storageKeys: STORAGE, hasKeys: true, serves: true }
fileWorker: { name: file-worker, command: worker, mode: file, broker: worker, port: 8091, metricsPort: 9465, storageKeys: STORAGE }
chunkWorker: { name: chunk-worker, command: worker, mode: chunk, broker: worker, port: 8091, metricsPort: 9465, storageKeys: STORAGE }
realtime: { name: realtime, command: realtime, broker: realtime, port: 8090, metricsPort: 9466, storageKeys: STORAGE_REALTIME, hasKeys: true, serves: true }
{{- end }}

{{- define "vaak.selector" -}}
app.kubernetes.io/name: vaak
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vaak.labels" -}}
{{ include "vaak.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "vaak.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Seconds for load balancers to look elsewhere before a role that serves is told to stop. */}}
{{- define "vaak.preStopSeconds" -}}5{{- end }}

{{- define "vaak.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "vaak.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Of the Secret: one key, as the variable that a role reads. */}}
{{- define "vaak.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key | default .name }}{{ if .optional }}, optional: true{{ end }} } }
{{- end }}

{{/* What all who talk to the broker are told. */}}
{{- define "vaak.commonVariables" -}}
- { name: NODE_ENV, value: production }
- { name: NATS_URL, value: {{ .Values.broker.url | quote }} }
- { name: NATS_REPLICAS, value: {{ .Values.broker.replicas | quote }} }
- { name: JWKS_URL, value: {{ required "identity.jwksUrl: where the public keys of your token issuer are" .Values.identity.jwksUrl | quote }} }
- { name: JWT_ISSUER, value: {{ required "identity.issuer: the iss of its tokens" .Values.identity.issuer | quote }} }
- { name: JWT_AUDIENCE, value: {{ .Values.identity.audience | quote }} }
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "vaak.migratePod" -}}
restartPolicy: OnFailure
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ include "vaak.podSecurity" . | nindent 2 }}
containers:
  - name: migrate
    image: {{ include "vaak.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    args: [migrate, '--yes']
    securityContext: {{ include "vaak.containerSecurity" . | nindent 6 }}
    env:
      {{- include "vaak.commonVariables" . | nindent 6 }}
      - { name: NATS_USER, value: operator }
      {{- include "vaak.secretVariable" (dict "secret" .Values.secretName "name" "NATS_PASSWORD" "key" "NATS_OPERATOR_PASSWORD") | nindent 6 }}
    resources:
      requests: { cpu: 100m, memory: 128Mi }
      limits: { memory: 512Mi }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: tmp, mountPath: /var/lib/vaak }
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- end }}
