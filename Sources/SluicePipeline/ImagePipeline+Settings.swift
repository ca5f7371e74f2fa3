internal import SluiceCore

/// Settings that change while the pipeline runs, and who goes by them.
extension ImagePipeline {
    /// Changes one setting; a value that is not allowed is a warning.
    func change(_ setting: SettingChange) {
        let old = settings
        let changed: (from: SettingValue, to: SettingValue)?
        do throws(SettingError) {
            changed = try settings.apply(setting)
        } catch {
            warn(.setting, error.message, task: nil)
            return
        }
        guard let changed else { return }
        emit(.session) { .settingChanged(name: setting.name, from: changed.from, to: changed.to) }
        applyToQueue()
        if old.suspended != settings.suspended {
            keepQueue(.suspended(settings.suspended))
            lookForRoomAtOnce()
        }
        if old.keyFilter != settings.keyFilter { keyFilter = KeyFilter(settings.keyFilter) }
        if old.limitRate != settings.limitRate { restartRates() }
        transport.limits = settings.transportLimits
        applyToIndicator()
        applyToCaches(since: old)
        applyToFailures(since: old)
    }

    private func applyToQueue() {
        if scheduler.limit != settings.maxActive { scheduler.setLimit(settings.maxActive) }
        scheduler.order = settings.order
        scheduler.lastReceipt = settings.lastReceipt
        scheduler.isSuspended = isSuspended
        if scheduler.maxPerHost != settings.maxPerHost { scheduler.setMaxPerHost(settings.maxPerHost) }
    }

    private func applyToIndicator() {
        indicator.activationDelay = settings.activationDelay
        indicator.completionDelay = settings.completionDelay
        if indicator.isEnabled != settings.indicatorEnabled {
            report(indicator.enabledChanged(to: settings.indicatorEnabled, now: now))
        }
    }

    private func applyToCaches(since old: Settings) {
        if cache.capacity != settings.cacheCapacity || cache.preferred != settings.cachePreferred {
            report(cache.resize(capacity: settings.cacheCapacity, preferred: settings.cachePreferred, now: now))
        }
        if old.httpCapacity != settings.httpCapacity || old.httpMemory != settings.httpMemory { resizeResponses() }
    }

    /// What failed by an older setting may succeed by the new one.
    private func applyToFailures(since old: Settings) {
        if old.failedFor != settings.failedFor {
            if settings.failedFor == .zero { forgetFailures { _ in true } }
            failed.extend(by: settings.failedFor - old.failedFor)
            failed.expire(now: now)
            keepFailures()
        }
        forgetFailures(since: circumstances(settings: old))
        let judgesImages = old.maxPixels != settings.maxPixels || old.acceptOnly != settings.acceptOnly
        if judgesImages || old.maxFileSize != settings.maxFileSize { judgeTransfersAnew() }
    }
}
