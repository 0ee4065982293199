internal import HTTPWire

/// The picture of the device in two sizes and two kinds, as DLNA asks for it.
struct DeviceIcon {
    let name: String
    let side: Int
    let mediaType: String
    /// In lines of whole groups of four.
    private let base64: String

    /// The picture's file.
    var bytes: [UInt8] { base64.split(separator: "\n").flatMap { Base64.decode($0) ?? [] } }

    static let all = [
        DeviceIcon(
            name: "icon-48.png", side: 48, mediaType: "image/png",
            base64: """
                iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAACXBIWXMAAAABAAAAAQBPJcTWAAAAvElEQVR4
                nO3X0Q2AIAwEUBLHcBNXcGDH0z9jInLttUGDZ+4Tro/ID2Ve1k+lvC4QSCCBBHpbIFA30I6+TiDoCMocIMvI
                OMsKIgZwJhMo8gu8ezGIpnAlAJSicVW1QLCifntt60MgF6U9lQfFNZypDmo0wnlwTXs7ABGXwHWqNBDU0D0V
                UJaGa0sA7dt0TSeQUWM3/QNU1dxNUZA9RpArY4GeTJHChFdHoiYHdLJSegZ6lwkkkEACCSTQN3IA3U4kPR8w
                V0IAAAAASUVORK5CYII=
                """),
        DeviceIcon(
            name: "icon-120.png", side: 120, mediaType: "image/png",
            base64: """
                iVBORw0KGgoAAAANSUhEUgAAAHgAAAB4CAIAAAC2BqGFAAAACXBIWXMAAAABAAAAAQBPJcTWAAACLElEQVR4
                nO3SwU0DQRBEUUuEQSakQMCEh69gkLy7U93VU/7WP+9UP/n2/vFJDd3sC14koIHOCmigswIa6KyABjoroIHO
                CmigswIa6KyABjoroIHOCmigswIa6KyABjoroIHOagPo72M/+879oA/K7uU+CFriO1bcD13kO03cCd1GPIHb
                A20h9nJ3Q7uFf/0yoYtcduFugu68f6Z1ObT34DnctdBDjpwwoxDaftuoPVXQo4gnDCuBnknsXaiHnq9s2SmG
                3oLYMlgJvZ1y52wZ9KbKbeM10A1Djd+XPFEOXXd853MjoOX7Lvg2PG2G1i6TENdtmAhtJ64YY4NW3VZgW7XH
                AC1Zo/Z88jNa66FLleVfKD1QAL1+idxF/k3VqhJooci1YdqPm6GrlS8TV7yiGjkOWqIsfGgc9PrxQmLtix7o
                ldH9ypJ3JZtHQJcqD5mtgV6Z64VeGV8ILd/aozxhfBO0Xdm+XwBdeuHjd77eftYGvXJ7H/S68oPv3xqs+6C1
                E4+vfKp8ytp1hQ1aq7xuPR26dN8p5ePWln/MXOgLygetXwj60HNl0P23zIW+rLzypwYaaKCBnnPLaejOqqH7
                AxpooIHOgV6xti8HGmidtX3zltBnre1rN4Y+bm3fuT30U277tijof7nte2Kh9w1ooLMCGuisgAY6K6CBzgpo
                oLMCGuisgAY6K6CBzgpooLMCGuisgAY6K6CBzgpooLMCGuisgAY6K6CBzgropu5/ywAsxwpDOgAAAABJRU5E
                rkJggg==
                """),
        DeviceIcon(
            name: "icon-48.jpg", side: 48, mediaType: "image/jpeg",
            base64: """
                /9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgMDA4MDhAQEBAQEBMSExQUFBMT
                ExMUFBQVFRUZGRkVFRUUFBUVGBgZGRscGxoaGRocHB4eHiQkIiIqKiszMz7/xAB+AAADAQEBAAAAAAAAAAAA
                AAAABQYHBAMBAAIDAQEAAAAAAAAAAAAAAAADAgEEBQYQAAIBBAIABAUFAQAAAAAAAAECAwQAEhEFITEiE0EG
                MiMUUXEVFoHBMxEAAQMEAgEFAQEBAAAAAAAAAQACESEDMRIEQVGBYSLwBTJxwf/AABEIADAAMAMBEgACEgAD
                EgD/2gAMAwEAAhEDEQA/AMysvchc5CLYUdDU8hMIaaIyyaLaGgAB4lmYhVHtskdkDxNiomMoVgE4S+9Jf4Vh
                pFb7/laSlkALiNR6jNGB8wDPFISSGAVUO9dEnq7St5wCVSdpGXALNr0aL4ZpKxB9lzFNPK+8InT0WbE+bamR
                5V0AT/zOwPx3bUrYjLSkp2gOHBZzbrkuKq+KlEdTHjllg4OSSBTrasP6OJ0wBGwN21RBBwkqRaW5SWy5IUUL
                2hieeWOKMZPI6og2BtmOgNkgDZPudW94GopqXk6aaqIEUZdmJQuAfTbA4qrHYfEggdHuxRdJFFeVJpAIlW1d
                Ufx6nj4qgXdbOiGqnjOcmb9COPQDhjv6YxBVCCAWbdqaCv49ufqK2smJiEk0kDsjuGOeMW1wdwFjO06XEqvh
                rVrHyqcdKyDrATCdBqM9qgRsSUwPAcfRoJeb5B46ibTmKMh5FLFiS5wmeTeu3ChQwIybo2i4+H97ramqq/P3
                kyhnHmcnFR2WwRQQBlsaUeF1sT/IXA/X5r+FatttHV9wmHQDDWxOaSSR0aSr1A/o1W/hWG8h7i+rWjEkSTj0
                oe/CepwPB8kGj43knNQO1SoGg/lY4qpihf22zLniPFe7S81x0fHiGopdw6cL075Bx5kdCdsCNHZy660L7+zh
                kLy3436N3luuWrx3cBu12rRSQCDEDsRTzJWDVpwa+66vO4rLIa+2NRMESTXIImfea+FQcdWPVO/Bc2rsWciO
                WRh60UuiV+oxOWW/pMC28gvmRup/n+Qpa56GtppMasxL9z6avGI5UClWVioYsCWUMHbQRe+r9SRHyapNBEjr
                pcoGfi5RcQYIz2pauo5uPqZaaYD1Izo4nakEAhgfwykEb0e+wDdN8U1tHyFes1IwdTAgdgjITIGf5s1UkhMR
                v8AD2uYM1UGAgVSyIMJjyCaKJstiEpCLLEIQuqnqZqWT1IXKNojY0dg+xB2CP1Hj3fLea/x7XJZpdYHtkGKi
                o7BEEenS0ptu4+07Zh1P3zRKTGrrp6585m3reKgaVQTvQH+nZOhs2uvDxeHZ4bNbTYmNnGrnEDJP/BAEmAty
                03r9y+ZeZjA6H+fZWZFliEIRZYhCF//Z
                """),
        DeviceIcon(
            name: "icon-120.jpg", side: 120, mediaType: "image/jpeg",
            base64: """
                /9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgMDA4MDhAQEBAQEBMSExQUFBMT
                ExMUFBQVFRUZGRkVFRUUFBUVGBgZGRscGxoaGRocHB4eHiQkIiIqKiszMz7/xACXAAEAAwEBAQEAAAAAAAAA
                AAAABQYHCAMCBAEBAAMBAQEBAAAAAAAAAAAAAAQCAwEGBQcQAAICAQQBAwIEAgcJAQAAAAIBAxEAIRIFBDET
                IgZRQUJhMiMWFFKxgUMzFXGj06SRYuOCVCRlEQACAQIEBAUFAAMBAAAAAAAAAQIRIUExAwRRYRITcVIFMiKh
                gSOxkULS0ST/wAARCAB4AHgDARIAAhIAAxIA/9oADAMBAAIRAxEAPwDMsZOB84DGAAMYAAxgADGAAMYAAxgA
                DGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMlunxfe5Br+W68sqtjvSqNNLc0UhVGLr7Ml5
                X1wVbSzBZRbyRE5qHX+D9+Rg5puvCJKyplJIDq9u3aINp6OpK+6byxl3EVN1pPkZfmzfwF/+h/w3/fzUw7nI
                wJPa5/QxnNWn+C9wSXodrryDWrkUkRXb02iplVVru/szcx7i4EY37T4oynJ3ucNyPHpl2OrKApJs0kcaTe1b
                pI2QJt6U3eq+ubFVJPEwLOLWaILGWBUDGAAMYAAxgADGAAMYAAxgADPaGI55Y4o1uOQxAFaVkTpK20lbf3dY
                AO5np1+vN25ghhBySSOhFeW/6kktW3olq9M6S4HgYeGht1J2ZF+7L9kvPpx3qgT8vyb1f2S5kRZS6glUmRj0
                +JX+J+G9brIZO9XZlTvYm/QGmmOjQkb013exoqYuryG5/wCXFuk6vHkttMD7Kvc3evoNOkkrXqa3dhVInZzb
                yLRhi/4UjppZ3Kz1MF/TSe9yvH8PEhmkCPaC9OCNJmxSe1BGP6R9rFN7QT0bWcrGZSERmTIibIiJtkTbttt6
                tt+W8ySciYbOSiQTbZ/nkAkvQ6csg1q5JBiK7em0RmVVWu7+zMc6/T7Pb3ehBNPtrd6UZybbur2p1dOr+mR+
                3zN6pEnu8iOk3kjQz+c8iyLZB1BG3tRDKRJXomSlFNpeWhV/RZBfwpzf/qf7br/73M+2uZbrjxNu6+CKduXD
                9F5i+eRM0peiYBrZBMpCWmlAUcaev/UtNcybtcd3elf8x1poUj2bjAkDLXQTrYXhtbW01qsz7fM2TTNe7yMG
                ms0dJ8bz/H8rQwy7ZH/cy0Ev4vCtiegsnsIqX6qzlnIri0SyYpKRBOieV+I9HuiZ9YV1Z69uzSEnSpHGk0Kp
                VcaHVsmiyjcH8un6pBB3ic0Db/eLcc0e56Nu2zBO7VM0no3SHIym1nc0lCuRLlpp5WM46lMyhd/odjjewXX7
                A7THVNaiYvwYPSxf/NO00mms6W5Ti+rznVQk143wThRMGS0IWnRASrcN0S+6aTWidSIm4syaadGTJRUkcrZI
                d7pzcf2ZetMl6kbp7XYtNJok/oQtNXT11SeTDidbkE61R0I/GdBwDGAAMYAAz2hiOeWOKNbjkMQBWlZE6Stt
                JW393WADuZs3wviEIPkpNSLfHAmhaQp0UqepIm0QL9LSReUWab+1xfR/GUfU6/5M2EMf/iLJofyV/TMJvAxz
                fiSNOOJt7V4Izb5lzTiH/LoCaM0inISHSNp/surJM9CL9PspaonmKzSnPLJLI9xyGRm6Ssidt0kkrb+yrNYR
                xJBjqSwI+Z8ABSEIALIiaERFNkTbpJJatt+Es2D4VxKJlyMov2th1/1JXTUklUkSp7BdtXvtWlgw1HgcJGnH
                H+Enwvw6GBDNyFTSNC1B/dxFd+9oqldUmv0fqXuVPP1fKPkR8bs63TMF2C90hUicI6MVtIWG4/ztoda9yecl
                PgchGt2Wjp8Ts50ssy39vk+O4kQCeaKBUKCMU2SGmhqKNMkC2tJ7dqqs5TMykIjMmRE2RETbIm3bbb1bb8t5
                RJsmGjaiQDoYvmnEjN6a/mCGxXrKP9unVlREMtD9/wBu9NE852yN0MkkvuR5kQ6s6XOcbyB+n1+yBn/QaOMi
                0b9gyCLKkm3tul5zlPIbi1gTCcpJ5MgnQ3L/ABHqd1b+og6k2roR/ZP20hYJ1Hql7gX3bYk8gvi/yWaeZdLv
                SotySglPQ2SpKImlRMlqJE9zLRsmSyMptZ3LTjiiXLTTysVhPBmQdjrzdSY4ZgcckbohflP+pprVNaNarTNy
                +ZcSuz1v56MW5eukjrc90Ftv2pPUCLdftSDc3dLNsyPB0sR2qEnUjVV4FZ+Hc04Jv8vmJuOV/sNkO2KTVsNa
                dSvwk/1+Bsm8ynLzjibFNOWBgdDfLuIXd6j7YaTdUCJ0h98XkkROn7FZjq/xJKyy08N3HyHHdXsE2yONI20K
                bkBsDKh0SZi2qrT7LI0HR04lJKjZL1I1VeBpF1SZyhktynTfH97sdanUcjQ7mLJxvWMmx0sgYt+PPhZMKp1V
                SAWkqNoicZYFQMYABbfjMQTcz0xNbkjI0ra90cZGL0a8EKf0f3yF4/vS8b2o+1EgI491I02PuBi7QkL8P6+c
                pP2ss1VUNIe5FU6OpvPzLsejxBhtv15Yo7uttNy34d/4dVp5vMj5X5H3OYgGCePriIyKROMZEVoSH8UhqqJ/
                bI0MzdRUSVqP4keU3LgU/GXBmDrbrxQ8T0AAmlH1YPeaCk0A2cmwdzsnZNK22/u8wzs/MuR7UE0BxdRDLGcZ
                MQl3JGLF1czV09LTyHm/E36EuJPXxXgRnqN8Ck9vtS93sS9iV2cpsn5pX4EdzbQivaKt0kln4s0SodMm6upw
                u3B8SPZ/+mdXGJUANOja/E70YJ6UvLTT0VO2cESfHQpNPa5E6fh+oTp/R00/9HnkPWPU5bf/AM+i6TarKad4
                J4LFSedXkqUzt5n1qLW/1W01VQa5roiqrjdNeKPubHaLV/JP2p2j5msXy/bPrbBp7aHLqry+TJ1QxDH6ajBB
                TWxCkNPyttVTvXPbPivV1JT7jnNzqn1uTcqrJ9WdsDInqEVHpUUo+WipflkXM/5viIxjLs9cUGxL1IxH2sfG
                8UK0a/F9q18+bbyJIel2W2l+zItXWrFpL/Vt0vzz3HpHqk3NbfXk59T+GpJ3T8sm3ev+ONbeHl9hFy3e3STf
                5YO17KSbf2V3yPPb7ZxUXq6apT3RStTiksqY4UufX3LS0NWtvhL6oxADKMhMCYkLRCQtohadpprVNPw1nxn7
                IDwoOs+O7Icpx8MxIDU8VSDtexlW2UNp3YokQ62mvu8wXj/lfe43qx9WKLrEEe6mYyMvcbJ2xlFeX9PGQ2qM
                kOCbrcnp9SIqm0qWKn3Ov/KdmeDdv9GWSPdVbthsbq3V1dW8+OzOXanmnNJFLIchIb2pmTJ1bbq3pbeXV0Mj
                NqjaDubT8E7G7rduDb/hyhJuvz6obaqtK9K7vW/yzMuI5zs8L63oBCfrbN3qibrZuqtph/Sd3eYamaNXFSJO
                k7NGEZOORYPmsQR8qJCqcvXjM3b1JEYXq9PaArSlplW5XlZ+YnGecYhIY1GlGiQ0iIvxEbuyf3yunkXS6S+p
                7vsZyl1EFjLAqBjAAGMAAYwABjAAGMAAYwACd43lJeOJ0vUjL9UbdK/sQunT+umq8/bILPjb/wBO09/FVfRq
                Ry1Eq28rVVVcL2f3Psk/bbqe2bp8ovONaX4rg/2QDXl8g6Dj3MzF036bAt2n2tWFv7e6vrWZDn5a/RN8p9PR
                Bqq+anHpvjek7Y/GvA/Uj2C9Q27jWrT8vS6/T438Tx5Z+U5mTvr0wTihT8X7jp6M68Lw9uqv7vTKxnnfTvSo
                bL8k2tTVazpaFrqP+1nTBXPRH1N1vZbj4pdMOGMuFf8AnE+WMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYA
                AxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGAAMYAAxgADGA
                AMYAAxgADGAAf//Z
                """),
    ]
}
