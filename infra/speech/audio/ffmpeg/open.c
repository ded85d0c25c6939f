/* Opens a recording: what is in it, and its track of audio. */
#include <math.h>
#include <string.h>

#include <libavutil/avutil.h>
#include <libavutil/log.h>

#include "host.h"
#include "recording.h"

struct recording recording;

enum { READ_AHEAD = 64 * 1024 };

/* Why nothing can be decoded; the host has the sentences. */
enum refusal {
    OPENED = 0,
    NO_MEMORY,
    BAD_HEADER,
    NO_AUDIO,
    UNKNOWN_CODEC,
    BAD_DESCRIPTION,
};

static struct {
    double position;
    double size;
} file;

static int read_on(void *unused, uint8_t *into, int size)
{
    (void)unused;
    int got = host_read(file.position, into, size);
    if (got < 0)
        return AVERROR(EIO);
    if (got == 0)
        return AVERROR_EOF;
    file.position += got;
    return got;
}

static int64_t seek_to(void *unused, int64_t offset, int whence)
{
    (void)unused;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
        return file.size;
    case SEEK_CUR:
        offset += file.position;
        break;
    case SEEK_END:
        offset += file.size;
        break;
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    file.position = offset;
    return offset;
}

static AVIOContext *open_bytes(void)
{
    uint8_t *buffer = av_malloc(READ_AHEAD);
    return buffer ? avio_alloc_context(buffer, READ_AHEAD, 0, NULL, read_on, NULL, seek_to) : NULL;
}

static int open_container(const char *demuxer, int probe_bytes, double analyse_us, int most_streams)
{
    const AVInputFormat *format = av_find_input_format(demuxer);
    if (!format)
        return BAD_HEADER; /* or it would guess */
    AVFormatContext *input = avformat_alloc_context();
    AVIOContext *bytes = open_bytes();
    if (!input || !bytes)
        return NO_MEMORY;
    input->pb = bytes;
    input->probesize = probe_bytes;
    input->max_analyze_duration = analyse_us;
    input->max_streams = most_streams;
    if (avformat_open_input(&input, NULL, format, NULL) < 0)
        return BAD_HEADER;
    recording.input = input;
    avformat_find_stream_info(input, NULL); /* a failure here shows in what is then missing */
    return OPENED;
}

/* RIFX: the header is read in its byte order and the samples are left in the other, which is noise. */
static enum AVCodecID in_the_other_order(enum AVCodecID id)
{
    switch (id) {
    case AV_CODEC_ID_PCM_S16LE: return AV_CODEC_ID_PCM_S16BE;
    case AV_CODEC_ID_PCM_S24LE: return AV_CODEC_ID_PCM_S24BE;
    case AV_CODEC_ID_PCM_S32LE: return AV_CODEC_ID_PCM_S32BE;
    case AV_CODEC_ID_PCM_F32LE: return AV_CODEC_ID_PCM_F32BE;
    case AV_CODEC_ID_PCM_F64LE: return AV_CODEC_ID_PCM_F64BE;
    default: return id;
    }
}

static int find_track(int big_endian)
{
    AVFormatContext *input = recording.input;
    int index = av_find_best_stream(input, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
    if (index < 0)
        return NO_AUDIO;
    for (unsigned other = 0; other < input->nb_streams; other += 1)
        if (other != (unsigned)index)
            input->streams[other]->discard = AVDISCARD_ALL;
    recording.track = input->streams[index];
    AVCodecParameters *parameters = recording.track->codecpar;
    if (big_endian)
        parameters->codec_id = in_the_other_order(parameters->codec_id);
    return avcodec_find_decoder(parameters->codec_id) ? OPENED : UNKNOWN_CODEC;
}

int EXPORTED(open_recording)(const char *demuxer, double size, int probe_bytes, double analyse_us, int most_streams)
{
    av_log_set_level(AV_LOG_QUIET);
    file.size = size;
    return open_container(demuxer, probe_bytes, analyse_us, most_streams);
}

int EXPORTED(open_track)(int big_endian)
{
    return find_track(big_endian);
}

int EXPORTED(open_decoder)(void)
{
    const AVCodecParameters *parameters = recording.track->codecpar;
    const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
    AVCodecContext *decoder = recording.decoder = avcodec_alloc_context3(codec);
    recording.frame = av_frame_alloc();
    if (!decoder || !recording.frame)
        return NO_MEMORY;
    if (avcodec_parameters_to_context(decoder, parameters) < 0)
        return BAD_DESCRIPTION;
    decoder->pkt_timebase = recording.track->time_base;
    /* its frames have a checksum that it looks at only when it is told to; others would lose good sound */
    if (parameters->codec_id == AV_CODEC_ID_FLAC)
        decoder->err_recognition |= AV_EF_CRCCHECK | AV_EF_EXPLODE;
    return avcodec_open2(decoder, codec, NULL) < 0 ? BAD_DESCRIPTION : OPENED;
}

const char *EXPORTED(codec_name)(void)
{
    return avcodec_get_name(recording.track->codecpar->codec_id);
}

int EXPORTED(channel_count)(void)
{
    return recording.track->codecpar->ch_layout.nb_channels;
}

int EXPORTED(sample_rate)(void)
{
    return recording.track->codecpar->sample_rate;
}

double seconds_of(int64_t ticks, AVRational of_a_second)
{
    return ticks == AV_NOPTS_VALUE ? NAN : (double)ticks * of_a_second.num / of_a_second.den;
}

/* Zero on the recording's clock. */
double EXPORTED(start_seconds)(void)
{
    return seconds_of(recording.input->start_time, AV_TIME_BASE_Q);
}

double EXPORTED(track_seconds)(void)
{
    return seconds_of(recording.track->duration, recording.track->time_base);
}

double EXPORTED(container_seconds)(void)
{
    return seconds_of(recording.input->duration, AV_TIME_BASE_Q);
}
